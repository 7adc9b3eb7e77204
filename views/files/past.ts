/**
 * History of a file or folder, and the diff of one change.
 *
 * @module
 */

import type { FileChange, Past } from './answers.ts'
import type { Choice } from './preview.ts'
import { wordsOf, type Server } from './server.ts'

/**
 * Creates the state of the history.
 *
 * @param readsResources Whether the host can read resources, which hold the diffs.
 * @param changed Called after every change of the state.
 */
export function createPast(
  server: Pick<Server, 'history' | 'shown'>,
  readsResources: boolean,
  changed: () => void,
) {
  const state = {
    list: null as readonly Past[] | null,
    error: '',
    /** The selected change. */
    past: null as Past | null,
    files: [] as readonly FileChange[],
    /** A message beside or instead of its files. */
    note: '',
  }
  let path = ''

  function set(next: Partial<typeof state>): void {
    Object.assign(state, next)
    changed()
  }

  async function open(choice: Choice): Promise<void> {
    path = choice.path
    set({ list: null, past: null, error: '' })
    try {
      const list = await server.history(choice.path, choice.type)
      if (path === choice.path) set({ list })
    } catch (error) {
      if (path === choice.path) set({ error: wordsOf(error) })
    }
  }

  /** Shows the diff of a change; null returns to the list. */
  async function look(past: Past | null): Promise<void> {
    set({ past, files: [], note: readsResources ? 'Loading…' : '' })
    if (!past || !readsResources) return
    const shown = await server.shown(past).catch(() => null)
    if (state.past !== past) return
    const { files = [], more = 0 } = shown ?? {}
    const note = more > 0 ? `And ${more} more files` : ''
    set({ files, note: shown ? note : 'What it did can no longer be shown' })
  }

  return { state, open, look }
}
