/**
 * State and actions of the files view.
 *
 * The parts (tree, search, preview, history, changes, uploads) do not know each other; this module
 * connects them. Each of them reports when the page has to be rendered again.
 *
 * @module
 */

import { uriOf } from '#core/file-uri.ts'
import { nameOf, parentOf, ROOT, type StorePath } from '#core/path.ts'
import { SHARE_ADDRESS, SHARES_CAPABILITY } from '#core/wire.ts'
import type { Bridge } from '../bridge.ts'
import type { HostCapabilities } from '../bridge/types.ts'
import { pluralize } from '../safe-text.tsx'
import { Changes, type Proposal } from './changes.ts'
import { Client, errorMessage, resolveIn, type ChangeResult } from './client.ts'
import { History } from './history.ts'
import { FilePreview, type Choice } from './preview.ts'
import { Search } from './search.ts'
import { Tree } from './tree.ts'
import { Uploads } from './uploads.ts'

/** A message about the last action. */
export interface Notice {
  readonly text: string
  readonly failed: boolean
  /** The id of a change that the notice offers to undo; empty for none. */
  readonly undo: string
}

/** Largest file, in bytes, that is passed to the host with its content instead of a link. */
const MAX_EMBEDDED_BYTES = 8 * 1024 * 1024

/** The state of the view and its actions. */
export class Files {
  /** Features that the host supports. */
  readonly capabilities: HostCapabilities
  readonly tree: Tree
  readonly search: Search
  readonly preview: FilePreview
  readonly history: History
  readonly changes: Changes
  readonly uploads: Uploads
  readonly #bridge: Bridge
  readonly #client: Client
  readonly #onChange: () => void

  /** What belongs to no part. */
  readonly state = {
    phase: 'loading' as 'loading' | 'ready' | 'failed',
    error: '',
    notice: null as Notice | null,
    tab: 'content' as 'content' | 'history',
    /** The pane that is shown, where there is room for one only. */
    pane: 'list' as 'list' | 'detail',
  }

  /**
   * Creates the state of the view.
   *
   * @param onChange Called when the page has to be rendered again.
   */
  constructor(bridge: Bridge, onChange: () => void) {
    const client = new Client(bridge)
    this.#bridge = bridge
    this.#client = client
    this.#onChange = onChange
    this.capabilities = bridge.host.capabilities
    const readsResources = this.#readsResources
    this.tree = new Tree((...page) => client.listFolder(...page), onChange)
    this.search = new Search(client, onChange)
    this.preview = new FilePreview(client, readsResources, onChange)
    this.history = new History(client, readsResources, onChange)
    this.changes = new Changes(client, onChange, (...done) => this.#reportChange(...done))
    this.uploads = new Uploads(client, onChange, (names) => this.#reportUploads(names))
  }

  /** Reads the roots and their folders. */
  async start(): Promise<void> {
    this.#set({ phase: 'loading' })
    try {
      const roots = await this.#client.listRoots()
      this.search.state.root = roots[0] ?? ROOT
      this.tree.setRoots(roots)
      await Promise.all(this.tree.roots.map((root) => this.tree.open(root)))
      this.#set({ phase: 'ready' })
    } catch (error) {
      this.#set({ phase: 'failed', error: errorMessage(error) })
    }
  }

  /** Selects an entry and shows its content. */
  async choose({ path, type, entry }: Choice, line = 1): Promise<void> {
    this.state.tab = 'content'
    await this.preview.open({ path, type, entry }, line)
  }

  /** Selects the entry at a path, and reveals it in the tree. */
  async openPath(path: StorePath, line = 1): Promise<void> {
    const item = await this.tree.reveal(path).catch(() => null)
    if (item) return this.choose(item, line)
    const entry = await this.#client.findEntry(path).catch(() => null)
    await this.choose({ path, type: entry?.type ?? 'file', entry }, line)
  }

  /** Reloads the tree, the preview and the history. */
  refresh(): Promise<void> {
    return this.#refresh(() => this.preview.reopen())
  }

  /** Shows changes by others, which replace no text that the user reads. */
  catchUp(): Promise<void> {
    return this.#refresh(() => this.preview.check())
  }

  /** Returns a text that differs after each change below the roots. */
  newestChanges(): Promise<string> {
    return this.#client.newestChanges(this.tree.roots.map(({ path }) => path))
  }

  /** Shows the content or the history of the selection. */
  showTab(tab: typeof this.state.tab): void {
    this.#set({ tab })
    const { choice } = this.preview.state
    if (tab === 'history' && choice) void this.history.open(choice)
  }

  /** Shows the list or the selection, where there is room for one only. */
  showPane(pane: typeof this.state.pane): void {
    this.#set({ pane })
  }

  /** Returns the folder for new files and uploads. */
  targetFolder(): StorePath {
    const { choice } = this.preview.state
    if (!choice) return this.search.state.root
    return choice.type === 'folder' ? choice.path : parentOf(choice.path)
  }

  /** Downloads a file through the host. */
  download({ path, entry }: Choice): Promise<void> {
    return this.#report(async () => {
      const uri = uriOf(path)
      const name = nameOf(path)
      const isLink = !this.#readsResources || (entry?.size ?? 0) > MAX_EMBEDDED_BYTES
      const accepted = await this.#bridge.downloadFile([
        isLink
          ? { type: 'resource_link', uri, name }
          : { type: 'resource', resource: { uri, ...(await this.#client.readContent(path)) } },
      ])
      if (!accepted) throw new Error('The host declined the download')
      return `Downloaded ${name}`
    })
  }

  /** Adds the path of an entry to the model's context. */
  shareWithModel({ path, type, entry }: Choice): Promise<void> {
    return this.#report(async () => {
      const version = entry && type === 'file' ? ` at version ${entry.version}` : ''
      const text = `The user has selected the ${type} ${path}${version} in the file browser.`
      const accepted = await this.#bridge.updateModelContext({
        content: [{ type: 'text', text }],
        structuredContent: { path, type },
      })
      if (!accepted) throw new Error('The host declined to share it')
      return `Shared ${path} with the agent`
    })
  }

  /** Whether the host makes links for people. */
  get canShare(): boolean {
    return Object.hasOwn(this.capabilities.experimental ?? {}, SHARES_CAPABILITY)
  }

  /** Has the host ask whether to make a link to a page of an entry, as it is shown here. */
  share({ path, type, entry }: Choice): Promise<boolean> {
    const seen = entry && type === 'file' ? `&version=${entry.version}` : ''
    return this.#bridge.openLink(`${SHARE_ADDRESS}path=${encodeURIComponent(path)}${seen}`)
  }

  /** Copies the text of a file. */
  copy(path: StorePath): Promise<void> {
    return this.#report(async () => {
      await copyText((await this.#client.readContent(path)).text ?? '')
      return 'Copied'
    })
  }

  /** Proposes to undo a change. */
  undo(id: string): Promise<void> {
    this.state.notice = null
    const proposal = { title: 'Undo this change?', verb: 'Undo', tool: 'undo_change' }
    return this.changes.propose({ ...proposal, args: { id } })
  }

  /** Removes the notice. */
  dismissNotice(): void {
    this.#set({ notice: null })
  }

  get #readsResources(): boolean {
    return Boolean(this.capabilities.serverResources)
  }

  #set(next: Partial<typeof this.state>): void {
    Object.assign(this.state, next)
    this.#onChange()
  }

  #notify(text: string, failed = false, undo = ''): void {
    this.#set({ notice: { text, failed, undo } })
  }

  /** Runs an action and shows its message or its error. */
  async #report(work: () => Promise<string>): Promise<void> {
    try {
      this.#notify(await work())
    } catch (error) {
      this.#notify(errorMessage(error), true)
    }
  }

  async #refresh(refreshPreview: () => Promise<void>): Promise<void> {
    await Promise.all([this.tree.refresh(), refreshPreview()])
    const { choice } = this.preview.state
    if (this.state.tab === 'history' && choice) await this.history.open(choice)
  }

  #reportChange({ change, text }: ChangeResult, { tool, args }: Proposal): void {
    this.#notify(text, false, tool === 'undo_change' ? '' : change.id)
    const from = args['from'] ?? (tool === 'delete_file' && args['path'])
    if (this.preview.state.choice?.path === from) this.preview.close()
    const to = args['to'] ?? (tool === 'write_file' && args['path'])
    void this.refresh().then(() => {
      if (typeof to === 'string') return this.openPath(resolveIn(ROOT, to))
    })
  }

  #reportUploads(names: string[]): void {
    if (names.length > 0)
      this.#notify(`Uploaded ${names[1] ? pluralize(names.length, 'file') : names[0]}`)
    void this.refresh()
  }
}

/** Copies text. Many hosts deny frames the clipboard API; `execCommand` often still works. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (!done) throw new Error('Cannot copy: the host does not allow it. Select the text instead')
  }
}
