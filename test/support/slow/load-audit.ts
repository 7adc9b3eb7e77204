/**
 * The expected audit log of a workspace: each change that was confirmed, by its version, and the number
 * of other entries.
 *
 * @module
 */

import assert from 'node:assert/strict'

export type Ledger = ReturnType<typeof createAuditModel>

export function createAuditModel() {
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
    /** Counts an audit entry that changed no file. */
    noted: () => void others++,
    entries: () => tools.size + others,
  }
}
