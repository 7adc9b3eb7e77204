/**
 * History of a file or folder, and the diff of one change.
 *
 * @module
 */

import type { FileDiff } from '#core/diff/unified.ts'
import { errorMessage, type Client } from './client.ts'
import type { Choice } from './preview.ts'
import type { HistoryEntry } from './tool-results.ts'

/** The state of the history and its actions. */
export class History {
  readonly #client: Pick<Client, 'readHistory' | 'readChangedFiles'>
  readonly #readsResources: boolean
  readonly #onChange: () => void
  #path = ''

  /** What is shown. */
  readonly state = {
    entries: null as readonly HistoryEntry[] | null,
    error: '',
    /** The selected change. */
    selected: null as HistoryEntry | null,
    files: [] as readonly FileDiff[],
    /** A message beside or instead of its files. */
    note: '',
  }

  /**
   * Creates the state of the history.
   *
   * @param readsResources Whether the host can read resources, which hold the diffs.
   * @param onChange Called after every change of the state.
   */
  constructor(
    client: Pick<Client, 'readHistory' | 'readChangedFiles'>,
    readsResources: boolean,
    onChange: () => void,
  ) {
    this.#client = client
    this.#readsResources = readsResources
    this.#onChange = onChange
  }

  /** Lists the changes of a file or folder. */
  async open({ path, type }: Choice): Promise<void> {
    this.#path = path
    this.#set({ entries: null, selected: null, error: '' })
    try {
      const entries = await this.#client.readHistory(path, type)
      if (this.#path === path) this.#set({ entries })
    } catch (error) {
      if (this.#path === path) this.#set({ error: errorMessage(error) })
    }
  }

  /** Shows the diff of a change; null returns to the list. */
  async select(entry: HistoryEntry | null): Promise<void> {
    this.#set({ selected: entry, files: [], note: this.#readsResources ? 'Loading…' : '' })
    if (!entry || !this.#readsResources) return
    const change = await this.#client.readChangedFiles(entry).catch(() => null)
    if (this.state.selected !== entry) return
    if (!change) return this.#set({ note: 'The differences are no longer available.' })
    const { files, more } = change
    this.#set({ files, note: more > 0 ? `And ${more} more files` : '' })
  }

  #set(next: Partial<typeof this.state>): void {
    Object.assign(this.state, next)
    this.#onChange()
  }
}
