/**
 * Uploads of files into a folder, one by one, with a question for existing names.
 *
 * A file is first sent as a new one, so that nothing is replaced without consent. If the name
 * exists, the user sees the preview of the replacement and decides: replace, keep both or skip, for
 * one file or for all. `test/views/files/changes.test.ts` uploads files that succeed, conflict and
 * fail.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import { isConflict } from './changes.ts'
import { errorMessage, resolveIn, type ChangeResult, type Client } from './client.ts'

/** Largest file in bytes: as base64 it has to fit into one message. */
export const MAX_UPLOAD_BYTES = 3_000_000

/** Most files of one upload. */
const MAX_FILES = 200

/** Most numbered copies of a name that are tried. */
const MAX_COPIES = 20

/** The user's decision about an existing name. */
export type Decision = 'replace' | 'both' | 'skip'

/** A file of the upload. */
export interface Upload {
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'done' | 'skipped' | 'failed'
  readonly error: string
}

/** An existing file with the same name, and the preview of its replacement. */
export interface NameConflict {
  readonly name: string
  readonly preview: ChangeResult | null
  /** Takes the decision for this file, or for all that follow. */
  readonly decide: (decision: Decision, forAll: boolean) => void
}

/** The state of the upload and its actions. */
export class Uploads {
  readonly #client: Pick<Client, 'apply' | 'preview'>
  readonly #onChange: () => void
  readonly #onDone: (names: string[]) => void
  #decisionForAll: Decision | null = null

  /** What is shown. */
  readonly state = {
    folder: ROOT,
    files: [] as readonly Upload[],
    phase: 'closed' as 'closed' | 'confirming' | 'sending' | 'ended',
    conflict: null as NameConflict | null,
  }

  /**
   * Creates the state without an upload.
   *
   * @param onChange Called after every change of the state.
   * @param onDone Receives the names of the uploaded files.
   */
  constructor(
    client: Pick<Client, 'apply' | 'preview'>,
    onChange: () => void,
    onDone: (names: string[]) => void,
  ) {
    this.#client = client
    this.#onChange = onChange
    this.#onDone = onDone
  }

  /** Shows files that the user may upload into a folder. */
  offer(folder: StorePath, files: readonly File[]): void {
    if (this.#isSending || files.length === 0) return
    this.#decisionForAll = null
    const waiting = { state: 'waiting', error: '' } as const
    this.#set({
      folder,
      files: files.slice(0, MAX_FILES).map((file) => ({ file, ...waiting })),
      phase: 'confirming',
    })
  }

  /** Sends the offered files. */
  async start(): Promise<void> {
    this.#set({ phase: 'sending' })
    for (const [index, { file }] of this.state.files.entries()) {
      // Closing the dialog stops the upload.
      if (!this.#isSending) break
      this.#update(index, { state: 'sending' })
      await this.#send(file).then(
        (sent) => this.#update(index, { state: sent ? 'done' : 'skipped' }),
        (error: unknown) => this.#update(index, { state: 'failed', error: errorMessage(error) }),
      )
    }
    const { files } = this.state
    this.#onDone(files.flatMap(({ state, file }) => (state === 'done' ? [file.name] : [])))
    const hasFailed = files.some(({ state }) => state === 'failed')
    if (this.#isSending) this.#set({ phase: hasFailed ? 'ended' : 'closed' })
  }

  /** Closes the dialog, and stops after the current file. */
  close(): void {
    this.#set({ phase: 'closed' })
  }

  get #isSending(): boolean {
    return this.state.phase === 'sending'
  }

  #set(next: Partial<typeof this.state>): void {
    Object.assign(this.state, next)
    this.#onChange()
  }

  #update(index: number, next: Partial<Upload>): void {
    const files = this.state.files.map((each, at) => (at === index ? { ...each, ...next } : each))
    this.#set({ files })
  }

  /** Sends a file; false if the user skips it. */
  async #send(file: File): Promise<boolean> {
    if (file.size > MAX_UPLOAD_BYTES)
      throw new Error('Larger than 3 MB. Use the console to upload it')
    const content_base64 = await readBase64(file)
    const args = (name: string, if_version: number) => {
      return { path: resolveIn(this.state.folder, name), content_base64, if_version }
    }
    const put = (name: string, version: number) =>
      this.#client.apply('write_file', args(name, version))
    try {
      await put(file.name, 0)
      return true
    } catch (error) {
      if (!isConflict(error)) throw error
      const replacement = args(file.name, error.version)
      const decision = this.#decisionForAll ?? (await this.#ask(file.name, replacement))
      if (decision === 'replace') await put(file.name, error.version)
      if (decision === 'both') await putCopy(file.name, put)
      return decision !== 'skip'
    }
  }

  async #ask(name: string, args: Record<string, unknown>): Promise<Decision> {
    const preview = await this.#client.preview('write_file', args).catch(() => null)
    if (!this.#isSending) return 'skip'
    const { promise, resolve } = Promise.withResolvers<Decision>()
    const decide = (decision: Decision, forAll: boolean) => {
      if (forAll) this.#decisionForAll = decision
      resolve(decision)
    }
    this.#set({ conflict: { name, preview, decide } })
    const decision = await promise
    this.#set({ conflict: null })
    return decision
  }
}

async function putCopy(
  name: string,
  put: (name: string, version: number) => Promise<ChangeResult>,
): Promise<void> {
  for (let copy = 2; ; copy++) {
    try {
      await put(copyName(name, copy), 0)
      return
    } catch (error) {
      if (!isConflict(error) || copy > MAX_COPIES) throw error
    }
  }
}

/** Returns the name of a copy: `a.txt` becomes `a (2).txt`. */
export function copyName(name: string, copy: number): string {
  const end = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length
  return `${name.slice(0, end)} (${copy})${name.slice(end)}`
}

async function readBase64(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
  reader.onerror = () => reject(new Error('Cannot read this file'))
  reader.readAsDataURL(file)
  return (await promise).replace(/^[^,]*,/, '')
}
