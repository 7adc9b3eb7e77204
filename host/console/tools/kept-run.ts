/**
 * Keeps the result of each tool's last call in this tab, so that it and its view come back after the
 * page is reloaded. Previews are not kept: they are made again, since the files may have changed.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { parseCallResult } from '../../mcp/parse.ts'
import { changeOf } from '../../mcp/tool-facts.ts'
import { readStored, textIn, writeStored } from '../ui/storage.ts'
import type { ToolRun } from './tool-run.ts'

/** Longest result that is kept, in UTF-16 code units of JSON. */
export const MAX_KEPT_LENGTH = 500_000

/** Stores a run that ended with a result; any other run, or a longer result, deletes what is kept. */
export function keepRun(key: string, { phase, sent, took, result }: ToolRun): void {
  const isKept = phase === 'done' && result !== null
  const kept = isKept ? { sent, took, raw: result.raw } : undefined
  const fits = (JSON.stringify(kept) ?? '').length <= MAX_KEPT_LENGTH
  writeStored(key, fits ? kept : undefined, sessionStorage)
}

/** Returns the members of a kept run, which is untrusted input; null if other arguments were sent. */
export function restoreRun(key: string, args: JsonRecord): Partial<ToolRun> | null {
  const kept = readStored(key, sessionStorage)
  const sent = textIn(kept, 'sent')
  const isSame = sent?.startsWith(`[${JSON.stringify(args)},`) === true
  if (!isRecord(kept) || !isSame || !isRecord(kept['raw'])) return null
  const result = parseCallResult(kept['raw'])
  const { took } = kept
  const ended = { phase: 'done', sent, result, change: changeOf(result) } as const
  return typeof took === 'number' ? { ...ended, took } : ended
}
