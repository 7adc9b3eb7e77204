/**
 * The product under attack. The runtime and libraries may log invalid input; every other message on
 * stderr is a fault.
 *
 * @module
 */

import { afterAll, beforeAll, expect } from 'vitest'
import { removeFolder, temporaryFolder } from './folder.ts'
import type { Running } from './running.ts'
import { startProduct } from './server.ts'

/** A message of the runtime about bytes that it cannot parse. */
export const OF_THE_RUNTIME = /^runtime: (?:kj\/compat\/(?:http|url)|workerd\/)\S+$/

/** Messages of the library about a flow that it rejects. */
export const OF_THE_DANCE = /^OAuth error response: 4\d\d \w+ - [\w .]+$/

/** A product for all tests of a file. */
export function useAttacked(expected: RegExp, variables: Readonly<Record<string, string>> = {}) {
  const data = temporaryFolder()
  let running: Running | undefined
  const current = () => {
    if (!running) throw new Error('The product runs in tests and hooks only')
    return running
  }
  beforeAll(async () => void (running = await startProduct(data, variables)))
  afterAll(async () => {
    expect(await current().stop()).toBe(0)
    const lines = current().complaints().split('\n')
    expect(lines.filter((line) => line !== '' && !expected.test(line))).toEqual([])
    removeFolder(data)
  })
  return {
    get url() {
      return current().url
    },
    /** All that it has written anywhere. */
    written: () => current().stdout() + current().complaints(),
  }
}
