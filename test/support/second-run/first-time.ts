/** What makes a test fail only once. @module */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether nothing has asked for this name yet, in this process or an earlier one. */
export function isFirstTime(name: string): boolean {
  try {
    writeFileSync(join(import.meta.dirname, `${name}.mark`), '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}
