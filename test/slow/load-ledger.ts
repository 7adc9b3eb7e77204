/**
 * The ledger of a workspace: each change that was answered, by its version, and how much else the
 * audit has to tell of.
 *
 * @module
 */

import assert from 'node:assert/strict'

export type Ledger = ReturnType<typeof createLedger>

export function createLedger() {
  const tools = new Map<number, string>()
  let others = 0

  /** Notes a change that was answered. No two have one version. */
  function applied(version: number, tool: string): number {
    const other = tools.get(version)
    assert.equal(other, undefined, `${tool} and ${other} both made version ${version}`)
    tools.set(version, tool)
    return version
  }

  return {
    applied,
    tools: tools as ReadonlyMap<number, string>,
    /** Notes what the audit tells of, and which changed no file. */
    noted: () => void others++,
    entries: () => tools.size + others,
  }
}
