/** Tests that tables of the documentation and of other tests name: a file and a title. @module */

import { existsSync, readFileSync } from 'node:fs'
import { inProject } from '../../../scripts/settings.ts'

/** Whether a file in `test/` has a test with this title, as it is written there, with `%s` where it is one of several. */
export function hasTest(file: string, title: string): boolean {
  const path = inProject(`test/${file}`)
  if (!existsSync(path)) return false
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`\(\s*(['"])${quoted}\1,`).test(readFileSync(path, 'utf8'))
}
