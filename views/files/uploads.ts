/**
 * Uploads of files into a folder, one by one, with a question for existing names.
 *
 * A file is first sent as a new one, so that nothing is replaced without consent. If the name
 * exists, the user sees the preview of the replacement and decides: replace, keep both or skip, for
 * one file or for all. `test/views/files-changes.test.ts` uploads files that succeed, clash and
 * fail.
 *
 * @module
 */

import { ROOT } from '#core/path.ts'
import { isConflict } from './changes.ts'
import { pathIn, wordsOf, type Outcome, type Server } from './server.ts'

/** Largest file in bytes: as base64 it has to fit into one message. */
export const MOST_BYTES = 3_000_000

/** Most files of one upload. */
const MOST_FILES = 200

/** Most numbered copies of a name that are tried. */
const MOST_COPIES = 20

/** The user's decision about an existing name. */
export type Choice = 'replace' | 'both' | 'skip'

/** A file of the upload. */
export interface Upload {
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'done' | 'skipped' | 'failed'
  readonly error: string
}

/** An existing file with the same name, and the preview of its replacement. */
export interface Clash {
  readonly name: string
  readonly outcome: Outcome | null
  readonly answer: (choice: Choice, all: boolean) => void
}

/**
 * Creates the state of the upload.
 *
 * @param changed Called after every change of the state.
 * @param done Receives the names of the uploaded files.
 */
export function createUploads(
  server: Pick<Server, 'apply' | 'preview'>,
  changed: () => void,
  done: (names: string[]) => void,
) {
  const state = {
    folder: ROOT,
    list: [] as readonly Upload[],
    phase: 'closed' as 'closed' | 'asking' | 'sending' | 'ended',
    clash: null as Clash | null,
  }
  let forAll: Choice | null = null
  const isOpen = () => state.phase === 'sending'

  function set(next: Partial<typeof state>): void {
    Object.assign(state, next)
    changed()
  }

  function offer(folder: typeof ROOT, files: readonly File[]): void {
    if (isOpen() || files.length === 0) return
    forAll = null
    const list = files.slice(0, MOST_FILES)
    set({
      folder,
      list: list.map((file) => ({ file, state: 'waiting', error: '' })),
      phase: 'asking',
    })
  }

  function mark(at: number, next: Partial<Upload>): void {
    set({ list: state.list.map((each, index) => (index === at ? { ...each, ...next } : each)) })
  }

  async function start(): Promise<void> {
    set({ phase: 'sending' })
    for (const [at, { file }] of state.list.entries()) {
      // Closing the dialog stops the upload.
      if (!isOpen()) break
      mark(at, { state: 'sending' })
      await send(file).then(
        (sent) => mark(at, { state: sent ? 'done' : 'skipped' }),
        (error: unknown) => mark(at, { state: 'failed', error: wordsOf(error) }),
      )
    }
    done(state.list.flatMap((each) => (each.state === 'done' ? [each.file.name] : [])))
    const failed = state.list.some((each) => each.state === 'failed')
    if (isOpen()) set({ phase: failed ? 'ended' : 'closed' })
  }

  async function send(file: File): Promise<boolean> {
    if (file.size > MOST_BYTES) throw new Error('Larger than 3 MB: use the console')
    const content_base64 = await base64Of(file)
    const args = (name: string, if_version: number) => ({
      path: pathIn(state.folder, name),
      content_base64,
      if_version,
    })
    const put = (name: string, version: number) => server.apply('write_file', args(name, version))
    try {
      await put(file.name, 0)
      return true
    } catch (error) {
      if (!isConflict(error)) throw error
      const replacing = args(file.name, error.version)
      const choice = forAll ?? (await question(file.name, replacing))
      if (choice === 'replace') await put(file.name, error.version)
      if (choice === 'both') await putBeside(file.name, put)
      return choice !== 'skip'
    }
  }

  async function question(name: string, args: Record<string, unknown>): Promise<Choice> {
    const outcome = await server.preview('write_file', args).catch(() => null)
    if (!isOpen()) return 'skip'
    const { promise, resolve } = Promise.withResolvers<Choice>()
    const answer = (choice: Choice, all: boolean) => {
      if (all) forAll = choice
      resolve(choice)
    }
    set({ clash: { name, outcome, answer } })
    const choice = await promise
    set({ clash: null })
    return choice
  }

  return { state, offer, start, close: () => set({ phase: 'closed' }) }
}

async function putBeside(
  name: string,
  put: (name: string, version: number) => Promise<Outcome>,
): Promise<void> {
  for (let copy = 2; ; copy++) {
    try {
      await put(besides(name, copy), 0)
      return
    } catch (error) {
      if (!isConflict(error) || copy > MOST_COPIES) throw error
    }
  }
}

/** Returns the name of a copy: `a.txt` becomes `a (2).txt`. */
export function besides(name: string, copy: number): string {
  const end = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length
  return `${name.slice(0, end)} (${copy})${name.slice(end)}`
}

async function base64Of(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
  reader.onerror = () => reject(new Error('The browser could not read this file'))
  reader.readAsDataURL(file)
  return (await promise).replace(/^[^,]*,/, '')
}
