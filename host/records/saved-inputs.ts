/**
 * Saved inputs: the arguments of a call, stored under a name to be used again.
 *
 * They are in `localStorage`, with one key for each server and tool, and are read as untrusted
 * input. If nothing can be stored, they last as long as the page. `test/host/records/saved-inputs.test.ts`
 * covers it.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { textOf } from '../mcp/parse.ts'
import { openLocalStorage, readList, writeList } from './storage.ts'
import type { SavedInput, SavedInputs } from './types.ts'

const PREFIX = 'edgewise.saved:'

/** Saved inputs of one tool; beyond this the oldest is dropped. */
const MAX_INPUTS = 50
const MAX_NAME = 100
const MAX_DESCRIPTION = 1_000
/** Longest input, in UTF-16 code units of JSON. */
const MAX_LENGTH = 200_000

/** Options of {@link createSavedInputs}. */
export interface SavedOptions {
  /** `localStorage` by default, null for nowhere. */
  readonly storage?: Storage | null
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number
}

/** Opens the saved inputs. */
export function createSavedInputs({ storage, now = Date.now }: SavedOptions = {}): SavedInputs {
  const store = storage === undefined ? openLocalStorage() : storage
  const inMemory = new Map<string, readonly SavedInput[]>()
  const keyOf = (server: string, tool: string) => `${PREFIX}${JSON.stringify([server, tool])}`

  function list(server: string, tool: string): readonly SavedInput[] {
    const key = keyOf(server, tool)
    return inMemory.get(key) ?? readList(store, key, MAX_INPUTS).flatMap(parseInput)
  }

  function replace(server: string, tool: string, inputs: readonly SavedInput[]): void {
    const key = keyOf(server, tool)
    const newest = inputs.slice(0, MAX_INPUTS)
    if (writeList(store, key, newest)) inMemory.delete(key)
    else inMemory.set(key, newest)
  }

  const save: SavedInputs['save'] = (server, tool, { id, name, description = '', args, meta }) => {
    const input: SavedInput = {
      id: id ?? crypto.randomUUID(),
      name: name.trim().slice(0, MAX_NAME) || 'Untitled',
      description: description.trim().slice(0, MAX_DESCRIPTION),
      savedAt: now(),
      args,
      meta: meta ?? {},
    }
    if (JSON.stringify(input).length > MAX_LENGTH) return null
    const others = list(server, tool).filter((other) => other.id !== input.id)
    replace(server, tool, [input, ...others])
    return input
  }

  function remove(server: string, tool: string, id: string): void {
    replace(
      server,
      tool,
      list(server, tool).filter((input) => input.id !== id),
    )
  }
  return { list, save, remove }
}

function parseInput(value: unknown): SavedInput[] {
  if (!isRecord(value) || typeof value['id'] !== 'string') return []
  const { id, name, description, savedAt, args, meta } = value
  return [
    {
      id,
      name: textOf(name),
      description: textOf(description),
      savedAt: typeof savedAt === 'number' ? savedAt : 0,
      args: recordOf(args),
      meta: recordOf(meta),
    },
  ]
}
