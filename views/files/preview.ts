/**
 * Preview of the selected file, by what it contains: the server tells the type by the bytes, and
 * the name only says what to ask for first.
 *
 * Text is read in parts as they become visible, images as a whole; other files show only their
 * facts. A later selection replaces an earlier one, whichever response arrives first.
 * `test/pages/files-view/files-view.slow.test.ts` opens one of each.
 *
 * @module
 */

import { nameOf, type StorePath } from '#core/path.ts'
import { errorMessage, ToolError, type Client, type Content } from './client.ts'
import { findLanguage } from '#core/highlight/languages.ts'
import { BLOCK, TextBlocks } from './text-blocks.ts'
import type { Entry } from './tool-results.ts'

/** The content that is shown: a text, an image, or a message about what cannot be shown. */
export type Preview =
  | { readonly type: 'loading' | 'folder' }
  | { readonly type: 'text'; readonly text: TextBlocks; readonly language: string }
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'facts' | 'failed'; readonly message: string }

/** The selected entry. */
export interface Choice {
  readonly path: StorePath
  readonly type: string
  /** Null if it is unknown or the file is gone. */
  readonly entry: Entry | null
}

const IMAGE = /^image\/(?:png|jpeg|gif|webp|svg\+xml|avif|bmp|x-icon)$/

/** Largest image that is shown, in bytes. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024

type Reader = Pick<Client, 'readLines' | 'readContent' | 'readFile' | 'findEntry'>

/** The state of the preview and its actions. */
export class FilePreview {
  readonly #client: Reader
  readonly #readsResources: boolean
  readonly #onChange: () => void

  /** What is shown. */
  readonly state = {
    choice: null as Choice | null,
    shown: { type: 'loading' } as Preview,
    /** The line to scroll to, from 1; a new object for every request. */
    target: { line: 1 },
    /** A message about a change by others since the file was read; empty for none. */
    notice: '',
  }

  /**
   * Creates the state without a selection.
   *
   * @param readsResources Whether the host can read resources; images need another tool without
   *   them.
   * @param onChange Called after every change of the state.
   */
  constructor(client: Reader, readsResources: boolean, onChange: () => void) {
    this.#client = client
    this.#readsResources = readsResources
    this.#onChange = onChange
  }

  /** Shows a file or a folder; `line` is the first line to show. */
  async open(choice: Choice, line = 1, target = { line }): Promise<void> {
    const { state } = this
    const isFolder = choice.type === 'folder'
    const isSame = state.choice?.path === choice.path && state.shown.type === 'text'
    const next = { choice, target, notice: '' }
    if (isSame && state.choice?.entry?.version === choice.entry?.version) return this.#set(next)
    this.#set({ ...next, ...(!isSame && { shown: { type: isFolder ? 'folder' : 'loading' } }) })
    if (isFolder) return
    const shown = await this.#read(choice, line).catch(describeFailure)
    if (state.choice === choice) this.#set({ shown })
  }

  /** Reads the file again if its version has changed. */
  async reopen(): Promise<void> {
    const { choice, shown, target } = this.state
    if (!choice || choice.type === 'folder') return
    const entry = await this.#client.findEntry(choice.path).catch(() => null)
    if (this.state.choice !== choice) return
    if (shown.type === 'failed' || entry?.version !== choice.entry?.version)
      await this.open({ ...choice, entry }, target.line, target)
    else this.#set({ notice: '' })
  }

  /** Checks for a new version and reports it; the user decides when to load it. */
  async check(): Promise<void> {
    const { choice, shown } = this.state
    if (!choice || choice.type === 'folder') return
    if (shown.type !== 'text' && shown.type !== 'image') return this.reopen()
    const entry = await this.#client.findEntry(choice.path).catch(entryAfter)
    if (this.state.choice !== choice || entry === undefined) return
    const isSame = entry?.version === choice.entry?.version
    const notice = isSame ? '' : entry ? 'This file has changed.' : 'This file was deleted.'
    if (notice !== this.state.notice) this.#set({ notice })
  }

  /** Scrolls to a line. */
  goTo(line: number): void {
    this.#set({ target: { line } })
  }

  /** Clears the selection. */
  close(): void {
    this.#set({ choice: null })
  }

  #set(next: Partial<typeof this.state>): void {
    Object.assign(this.state, next)
    this.#onChange()
  }

  async #read({ path, entry }: Choice, line: number): Promise<Preview> {
    const isNamed = entry !== null && IMAGE.test(entry.mime)
    if (isNamed && entry.size > MAX_IMAGE_BYTES)
      return { type: 'facts', message: 'This image is too large to show.' }
    const named = isNamed && this.#readsResources ? await this.#client.readContent(path) : null
    if (named && IMAGE.test(named.mimeType ?? '')) return { type: 'image', url: dataUrl(named) }
    const start = Math.floor((line - 1) / BLOCK) * BLOCK + 1
    const { image, lines: first } = await this.#client.readFile(path, start, 2 * BLOCK)
    if (image) return { type: 'image', url: dataUrl(image) }
    if (first.total === 0) return { type: 'facts', message: 'This file is empty.' }
    const language = findLanguage(nameOf(path))
    const text = new TextBlocks(first, {
      read: (from, limit) => this.#client.readLines(path, from, limit),
      language,
      onChange: this.#onChange,
      onStale: () => void this.check(),
    })
    return { type: 'text', text, language: language?.name ?? 'Plain text' }
  }
}

/**
 * Maps an error to the entry: a tool error means that the folder and its files are gone; other
 * failures say nothing about the file.
 */
const entryAfter = (error: unknown) => (error instanceof ToolError ? null : undefined)

function describeFailure(error: unknown): Preview {
  if (error instanceof ToolError && error.code === 'BINARY_FILE')
    return { type: 'facts', message: 'This file is not text and cannot be shown.' }
  // A document without a text: the sentence tells why.
  if (error instanceof ToolError && error.code.startsWith('DOCUMENT_'))
    return { type: 'facts', message: errorMessage(error) }
  return { type: 'failed', message: errorMessage(error) }
}

/** Returns a data URL of an image. An SVG in an image element runs no scripts. */
function dataUrl({ mimeType, text = '', blob }: Content): string {
  return `data:${mimeType}${blob === undefined ? `,${encodeURIComponent(text)}` : `;base64,${blob}`}`
}
