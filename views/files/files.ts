/**
 * State and actions of the files view.
 *
 * The parts (tree, search, preview, past, changes, uploads) do not know each other; this module
 * connects them. Each of them calls `changed` when the page has to be rendered again.
 *
 * @module
 */

import { nameOf, parentOf, ROOT, type StorePath } from '#core/path.ts'
import type { Bridge } from '../bridge.ts'
import { createChanges, type Proposal } from './changes.ts'
import { counted } from './format.ts'
import { createPast } from './past.ts'
import { createPreview, type Choice } from './preview.ts'
import { createSearch } from './search.ts'
import { createServer, pathIn, uriOf, wordsOf, type Outcome } from './server.ts'
import { createTree } from './tree.ts'
import { createUploads } from './uploads.ts'

/** A message about the last action. */
export interface Notice {
  readonly text: string
  readonly failed: boolean
  /** The id of a change that the notice offers to undo; empty for none. */
  readonly undo: string
}

/** The state of the view and its actions. */
export type Files = ReturnType<typeof createFiles>

/** Largest file, in bytes, that is passed to the host with its content instead of a link. */
const MOST_EMBEDDED = 8 * 1024 * 1024

/**
 * Creates the state of the view.
 *
 * @param changed Called when the page has to be rendered again.
 */
export function createFiles(bridge: Bridge, changed: () => void) {
  const server = createServer(bridge)
  const can = bridge.host.capabilities
  const readsResources = Boolean(can.serverResources)
  const tree = createTree(server.list, changed)
  const search = createSearch(server, changed)
  const preview = createPreview(server, readsResources, changed)
  const past = createPast(server, readsResources, changed)
  const changes = createChanges(server, changed, made)
  const uploads = createUploads(server, changed, uploaded)
  const state = {
    phase: 'loading' as 'loading' | 'ready' | 'failed',
    error: '',
    notice: null as Notice | null,
    tab: 'content' as 'content' | 'history',
  }

  function set(next: Partial<typeof state>): void {
    Object.assign(state, next)
    changed()
  }

  const tell = (text: string, failed = false, undo = '') => set({ notice: { text, failed, undo } })

  /** Runs an action and shows its message or its error. */
  async function telling(work: () => Promise<string>): Promise<void> {
    try {
      tell(await work())
    } catch (error) {
      tell(wordsOf(error), true)
    }
  }

  async function start(): Promise<void> {
    set({ phase: 'loading' })
    try {
      const roots = await server.roots()
      search.state.root = roots[0] ?? ROOT
      tree.setRoots(roots)
      await Promise.all(tree.tops.map(tree.open))
      set({ phase: 'ready' })
    } catch (error) {
      set({ phase: 'failed', error: wordsOf(error) })
    }
  }

  /** Selects an entry and shows its content. */
  async function choose({ path, type, entry }: Choice, line = 1): Promise<void> {
    state.tab = 'content'
    await preview.open({ path, type, entry }, line)
  }

  /** Selects the entry at a path, and reveals it in the tree. */
  async function openPath(path: StorePath, line = 1): Promise<void> {
    const item = await tree.reveal(path).catch(() => null)
    if (item) return choose(item, line)
    const entry = await server.stat(path).catch(() => null)
    await choose({ path, type: entry?.type ?? 'file', entry }, line)
  }

  /**
   * Reloads the tree, the preview and the history. Changes by others replace no text that the user
   * reads.
   */
  async function refresh(look = preview.reopen): Promise<void> {
    await Promise.all([tree.refresh(), look()])
    const { choice } = preview.state
    if (state.tab === 'history' && choice) await past.open(choice)
  }

  function show(tab: typeof state.tab): void {
    set({ tab })
    const { choice } = preview.state
    if (tab === 'history' && choice) void past.open(choice)
  }

  function made({ change, said }: Outcome, { tool, args }: Proposal): void {
    tell(said, false, tool === 'undo_change' ? '' : change.id)
    if (preview.state.choice?.path === (args['from'] ?? (tool === 'delete_file' && args['path'])))
      preview.close()
    const to = args['to'] ?? (tool === 'write_file' && args['path'])
    void refresh().then(() => {
      if (typeof to === 'string') return openPath(pathIn(ROOT, to))
    })
  }

  function uploaded(names: string[]): void {
    if (names.length > 0) tell(`Uploaded ${names[1] ? counted(names.length, 'file') : names[0]}`)
    void refresh()
  }

  /** Returns the folder for new files and uploads. */
  function target(): StorePath {
    const { choice } = preview.state
    if (!choice) return search.state.root
    return choice.type === 'folder' ? choice.path : parentOf(choice.path)
  }

  const download = ({ path, entry }: Choice) =>
    telling(async () => {
      const uri = uriOf(path)
      const name = nameOf(path)
      const link = !readsResources || (entry?.size ?? 0) > MOST_EMBEDDED
      const taken = await bridge.downloadFile([
        link
          ? { type: 'resource_link', uri, name }
          : { type: 'resource', resource: { uri, ...(await server.content(path)) } },
      ])
      if (!taken) throw new Error('The host did not take the file')
      return `Downloaded ${name}`
    })

  const tellModel = ({ path, type, entry }: Choice) =>
    telling(async () => {
      const version = entry && type === 'file' ? ` at version ${entry.version}` : ''
      const text = `The person has chosen the ${type} ${path}${version} in the file browser.`
      const known = await bridge.updateModelContext({
        content: [{ type: 'text', text }],
        structuredContent: { path, type },
      })
      if (!known) throw new Error('The host did not pass it on')
      return `The agent knows of ${path}`
    })

  const undo = (id: string) => {
    state.notice = null
    const proposal = { title: 'Undo this change?', verb: 'Undo', tool: 'undo_change' }
    return changes.propose({ ...proposal, args: { id } })
  }

  return {
    state,
    can,
    tree,
    search,
    preview,
    past,
    changes,
    uploads,
    start,
    choose,
    openPath,
    refresh: () => refresh(),
    catchUp: () => refresh(preview.check),
    newest: () => server.newest(tree.tops.map(({ path }) => path)),
    show,
    target,
    download,
    tellModel,
    undo,
    copy: (path: StorePath) =>
      telling(async () => {
        await copyText((await server.content(path)).text ?? '')
        return 'Copied'
      }),
    hush: () => set({ notice: null }),
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
    if (!done) throw new Error('This host lets no view copy. Select the text instead')
  }
}
