/**
 * A workspace in memory as a sync sees it: versions, a feed that forgets, and a session link whose changes wait. What the
 * product does beyond that is tested against the product (`test/e2e/sync.test.ts`).
 *
 * @module
 */

import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Content, LocalFile, RemoteFile } from '../../../scripts/sync/plan.ts'
import type {
  Decided,
  Feed,
  FileChange,
  Listing,
  Refused,
  Remote,
  Source,
  Upload,
  WriteOptions,
  Written,
} from '../../../scripts/sync/remote.ts'

export const hashOf = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

export interface Stored {
  readonly text: string
  readonly executable: boolean
  readonly version: number
}

interface Change {
  readonly version: number
  readonly files: readonly FileChange[]
}

const describe = ({ text, executable, version }: Stored): RemoteFile => ({
  hash: hashOf(text),
  executable,
  version,
  size: Buffer.byteLength(text),
})

export class FakeServer implements Remote {
  readonly takesArchives: boolean
  readonly files = new Map<string, Stored>()
  /** Contents that were ever applied, which history has. */
  readonly history = new Set<string>()
  readonly draft = new Map<string, Stored | null>()
  readonly decisions: Decided[] = []
  /** What the sync has replaced or deleted. */
  readonly replaced: { readonly name: string; readonly text: string }[] = []
  /** Whether a change of this file waits. */
  readonly waits: (name: string) => boolean
  /** Whether the sender may read a file. `access` is another one after a change of it. */
  reads: (name: string) => boolean = () => true
  access = 'all'
  readonly workspace = randomUUID()
  readonly #folder: string
  #changes: Change[] = []
  #oldest = 0
  #version = 0
  #draftVersion = 1_000_000
  #draftName = 1
  #clock = 1_000

  constructor(folder: string, waits: ((name: string) => boolean) | null) {
    this.#folder = folder
    this.takesArchives = waits === null
    this.waits = waits ?? (() => false)
  }

  get version(): number {
    return this.#version
  }

  get source(): Source {
    return { workspace: this.workspace, access: this.access }
  }

  /** What the sender sees. */
  #seen(name: string): Stored | null {
    if (!this.reads(name)) return null
    const drafted = this.draft.get(name)
    return drafted === undefined ? (this.files.get(name) ?? null) : drafted
  }

  /** Applies changes at once, as an agent or an approval does. */
  apply(changes: ReadonlyMap<string, Omit<Stored, 'version'> | null>): void {
    const version = ++this.#version
    const files: FileChange[] = []
    for (const [name, stored] of changes) {
      if (stored === null) {
        if (!this.files.delete(name)) continue
        files.push({ name, kind: 'gone', file: null })
      } else {
        const file = { text: stored.text, executable: stored.executable, version }
        this.files.set(name, file)
        this.history.add(file.text)
        files.push({ name, kind: 'file', file: describe(file) })
      }
    }
    this.#changes.push({ version, files })
  }

  /** Forgets the changes so far. */
  forget(): void {
    this.#oldest = this.#version
    this.#changes = []
  }

  /** Decides on the files of the draft that pass: approves them, perhaps with other content, or turns them down. */
  decide(picks: (name: string) => boolean, outcome: string, amend: (text: string) => string): void {
    const names = [...this.draft.keys()].filter(picks)
    if (names.length === 0) return
    if (outcome === 'approved') {
      const applied = names.map((name) => {
        const one = this.draft.get(name) ?? null
        return [name, one && { ...one, text: amend(one.text) }] as const
      })
      this.apply(new Map(applied))
    }
    for (const name of names) this.draft.delete(name)
    const draft = `draft-${this.#draftName}`
    if (this.draft.size === 0) this.#draftName++
    this.decisions.push({ draft, outcome, at: ++this.#clock, note: '', names, isCut: false })
  }

  async list(): Promise<Listing> {
    const names = new Set([...this.files.keys(), ...this.draft.keys()])
    const files = new Map<string, RemoteFile>()
    for (const name of names) {
      const stored = this.#seen(name)
      if (stored) files.set(name, describe(stored))
    }
    return { source: this.source, version: this.#version, files, skipped: [] }
  }

  async changes(after: number): Promise<Feed | null> {
    if (after < this.#oldest) return null
    const changes = this.#changes.filter(({ version }) => version > after)
    const changed = changes.flatMap(({ files }) => files).filter(({ name }) => this.reads(name))
    return {
      source: this.source,
      version: this.#version,
      changes: changed,
      decided: [...this.decisions],
      skipped: [],
    }
  }

  async wait(): Promise<void> {}

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const bytes = Buffer.from(this.#seen(name)?.text ?? '')
    return (async function* () {
      yield bytes
    })()
  }

  async readAll(
    take: (name: string, body: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void> {
    for (const name of this.files.keys()) await take(name, await this.read(name))
  }

  async write(name: string, local: LocalFile, options: WriteOptions): Promise<Written> {
    const text = await readFile(join(this.#folder, local.path), 'utf8')
    return this.#change(name, options.version, { text, executable: options.executable ?? false })
  }

  async remove(name: string, version: number): Promise<Written> {
    if (this.#seen(name) === null) return { type: 'done', version: 0, hash: null }
    return this.#change(name, version, null)
  }

  /** Whether a folder is in the place of a file, or a file in that of a folder. */
  #clashes(name: string): boolean {
    const names = new Set([...this.files.keys(), ...this.draft.keys()])
    return [...names].some(
      (one) =>
        this.#seen(one) !== null && (one.startsWith(`${name}/`) || name.startsWith(`${one}/`)),
    )
  }

  #change(name: string, version: number, to: Omit<Stored, 'version'> | null): Written {
    const before = this.#seen(name)
    if ((before?.version ?? 0) !== version) return { type: 'changed' }
    if (to !== null && this.#clashes(name)) return { type: 'refused', reason: 'It clashes' }
    if (this.waits(name)) {
      this.draft.set(name, to && { ...to, version: ++this.#draftVersion })
      return { type: 'waits', draft: `draft-${this.#draftName}`, at: ++this.#clock }
    }
    if (before) this.replaced.push({ name, text: before.text })
    this.apply(new Map([[name, to]]))
    return { type: 'done', version: to ? this.#version : 0, hash: to && hashOf(to.text) }
  }

  async writeMany(uploads: readonly Upload[], after: number): Promise<readonly Refused[]> {
    const written = new Map<string, Omit<Stored, 'version'>>()
    for (const { name, local } of uploads) {
      const before = this.files.get(name)
      if (this.#clashes(name) || (before && before.version > after)) continue
      if (before) this.replaced.push({ name, text: before.text })
      const text = await readFile(join(this.#folder, local.path), 'utf8')
      written.set(name, { text, executable: local.executable })
    }
    this.apply(written)
    return []
  }
}

export const contentOf = (text: string, executable = false): Content => ({
  hash: hashOf(text),
  executable,
})
