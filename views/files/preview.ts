/**
 * Preview of the selected file, by its type.
 *
 * Text is read in parts as they become visible, images as a whole; other files show only their
 * facts. A later selection replaces an earlier one, whichever response arrives first.
 * `test/pages/files-view.test.ts` opens one of each.
 *
 * @module
 */

import { nameOf, type StorePath } from '#core/path.ts'
import type { Entry } from './answers.ts'
import { languageOf } from './highlight/languages.ts'
import { BLOCK, createText, type Text } from './lines.ts'
import { Refusal, wordsOf, type Content, type Server } from './server.ts'

/** The content that is shown: a text, an image, or a message about what cannot be shown. */
export type Preview =
  | { readonly type: 'loading' | 'folder' }
  | { readonly type: 'text'; readonly text: Text; readonly language: string }
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'facts' | 'failed'; readonly words: string }

/** The selected entry. */
export interface Choice {
  readonly path: StorePath
  readonly type: string
  /** Null if it is unknown or the file is gone. */
  readonly entry: Entry | null
}

const IMAGE = /^image\/(?:png|jpeg|gif|webp|svg\+xml|avif|bmp|x-icon)$/

/** Largest image that is shown, in bytes. */
const MOST_IMAGE = 8 * 1024 * 1024

type Reading = Pick<Server, 'lines' | 'content' | 'image' | 'stat'>

/**
 * Creates the state of the preview.
 *
 * @param readsResources Whether the host can read resources; images need another tool without them.
 * @param changed Called after every change of the state.
 */
export function createPreview(server: Reading, readsResources: boolean, changed: () => void) {
  const state = {
    choice: null as Choice | null,
    shown: { type: 'loading' } as Preview,
    /** The line to scroll to, from 1; a new object for every request. */
    aim: { line: 1 },
    /** A message about a change by others since the file was read; empty for none. */
    news: '',
  }

  function set(next: Partial<typeof state>): void {
    Object.assign(state, next)
    changed()
  }

  /** Shows a file or a folder; `line` is the first line to show. */
  async function open(choice: Choice, line = 1, aim = { line }): Promise<void> {
    const isFolder = choice.type === 'folder'
    const same = state.choice?.path === choice.path && state.shown.type === 'text'
    const to = { choice, aim, news: '' }
    if (same && state.choice?.entry?.version === choice.entry?.version) return set(to)
    set({ ...to, ...(!same && { shown: { type: isFolder ? 'folder' : 'loading' } }) })
    if (isFolder) return
    const shown = await shownOf(choice, line).catch(failure)
    if (state.choice === choice) set({ shown })
  }

  async function shownOf({ path, entry }: Choice, line: number): Promise<Preview> {
    if (entry && IMAGE.test(entry.mime)) return imageOf(path, entry)
    const from = Math.floor((line - 1) / BLOCK) * BLOCK + 1
    const first = await server.lines(path, from, 2 * BLOCK)
    if (first.total === 0) return { type: 'facts', words: 'This file is empty.' }
    const language = languageOf(nameOf(path))
    const text = createText(first, {
      read: (start, limit) => server.lines(path, start, limit),
      language,
      changed,
      stale: () => void check(),
    })
    return { type: 'text', text, language: language?.name ?? 'Plain text' }
  }

  async function imageOf(path: StorePath, { size }: Entry): Promise<Preview> {
    if (size > MOST_IMAGE) return { type: 'facts', words: 'This image is too large to show.' }
    return { type: 'image', url: urlOf(await server[readsResources ? 'content' : 'image'](path)) }
  }

  /** Reads the file again if its version has changed. */
  async function reopen(): Promise<void> {
    const { choice, shown, aim } = state
    if (!choice || choice.type === 'folder') return
    const entry = await server.stat(choice.path).catch(() => null)
    if (state.choice !== choice) return
    if (shown.type === 'failed' || entry?.version !== choice.entry?.version)
      await open({ ...choice, entry }, aim.line, aim)
    else set({ news: '' })
  }

  /** Checks for a new version and reports it; the user decides when to load it. */
  async function check(): Promise<void> {
    const { choice, shown } = state
    if (!choice || choice.type === 'folder') return
    if (shown.type !== 'text' && shown.type !== 'image') return reopen()
    const entry = await server.stat(choice.path).catch(goneOrUnknown)
    if (state.choice !== choice || entry === undefined) return
    const isSame = entry?.version === choice.entry?.version
    const news = isSame ? '' : entry ? 'Somebody has changed this file.' : 'This file is gone.'
    if (news !== state.news) set({ news })
  }

  return {
    state,
    open,
    reopen,
    check,
    goTo: (line: number) => set({ aim: { line } }),
    close: () => set({ choice: null }),
  }
}

/**
 * Maps an error to the entry: a refusal means that the folder and its files are gone; other
 * failures say nothing about the file.
 */
const goneOrUnknown = (error: unknown) => (error instanceof Refusal ? null : undefined)

function failure(error: unknown): Preview {
  if (error instanceof Refusal && error.code === 'BINARY_FILE')
    return { type: 'facts', words: 'This is no text, so there is nothing to read here.' }
  return { type: 'failed', words: wordsOf(error) }
}

/** Returns a data URL of an image. An SVG in an image element runs no scripts. */
function urlOf({ mimeType, text = '', blob }: Content): string {
  return `data:${mimeType}${blob === undefined ? `,${encodeURIComponent(text)}` : `;base64,${blob}`}`
}
