/** The arguments of a tool: from the address, else those last typed in this tab, else the defaults. @module */

import { useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { Tool } from '../../mcp/types.ts'
import { formModel, startArguments } from '../../forms/model.ts'
import { openConnection } from '../connect/connection.ts'
import { route } from '../shell/route.ts'
import { writeStored, readStored } from '../ui/storage.ts'

/** Holds the arguments of a tool, and keeps them in this tab. */
export function useArguments(tool: Tool) {
  const draft = `draft.${openConnection().url} ${tool.name}`
  const [args, setArgs] = useState<JsonRecord>(() => readInitialArgs(tool, draft))
  const [isValid, setValid] = useState(() => formModel(tool.inputSchema, args).valid)
  const changeArgs = (value: unknown, valid: boolean) => {
    const next = recordOf(value)
    setArgs(next)
    setValid(valid)
    writeStored(draft, next, sessionStorage)
  }
  return { args, isValid, changeArgs }
}

/** Returns the initial arguments: from the address, else those last typed, else from the schema. */
function readInitialArgs(tool: Tool, draft: string): JsonRecord {
  const given = parseArgs(route.value.query['args'])
  if (given) return given
  const last = readStored(draft, sessionStorage)
  if (isRecord(last)) return last
  return startArguments(tool.inputSchema)
}

function parseArgs(text: string | undefined): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
