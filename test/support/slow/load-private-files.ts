/**
 * Work in an agent's own folder: no other agent writes there, so each read has a known result, to the
 * byte and to the version.
 *
 * @module
 */

import assert from 'node:assert/strict'
import type { Agent } from './load-agent.ts'
import type { Arguments } from './load-client.ts'
import { assertSame, LARGE_BYTES, numbered, textOf, WORDS } from './load-content.ts'
import * as trees from './load-tree.ts'
import type { File, Tree } from './load-tree.ts'

export type Own = Awaited<ReturnType<typeof createPrivateFiles>>

/** A kind of work, and how much of it there is beside the others. */
export type Work = readonly [weight: number, run: () => Promise<void>]

const FOLDERS = 5
const NAMES = 8
const LARGE_FILES = 2
const FEWEST_FILES = 6

/** A text longer than this is read over HTTP, or as a resource. */
const MAX_NUMBERED = 20_000

export async function createPrivateFiles(agent: Agent) {
  const base = `/own/${agent.name}`
  await agent.change('create_folder', { path: base })
  let tree: Tree = new Map([[base, null]])

  const somePath = () => `${base}/folder${agent.upTo(FOLDERS)}/file${agent.upTo(NAMES)}.txt`
  const largePath = () => `${base}/large${agent.upTo(LARGE_FILES)}.txt`
  const someFile = () => agent.any(trees.filesOf(tree))
  const someFolder = () => agent.any([base, ...trees.foldersIn(tree, base)])
  const smallSize = () => 200 + agent.upTo(4_000)

  /** Makes a change, and now and then takes it back at once. */
  async function change(tool: string, args: Arguments, next: (version: number) => Tree) {
    const before = tree
    const { id, version } = await agent.change(tool, args)
    tree = next(version)
    if (agent.upTo(8) > 0) return
    const undone = await agent.change('undo_change', { id })
    tree = trees.revoke(before, tree, undone.version)
  }

  const putting = (path: string, text: string) => (version: number) =>
    trees.withFile(tree, path, { text, version })

  async function write(path = somePath(), bytes = smallSize()) {
    const content = agent.someText(bytes)
    await change('write_file', { path, content }, putting(path, content))
  }

  async function append() {
    const { path, file } = someFile()
    const content = `${textOf(agent.newLabel(60))}`
    if (file.text.length + content.length > MAX_NUMBERED) return
    const joined = file.text + content
    await change('write_file', { path, content, mode: 'append' }, putting(path, joined))
  }

  async function edit() {
    const { path, file } = someFile()
    const find = agent.any(file.text.split('\n').slice(0, -1))
    const replace = `${textOf(agent.newLabel(1)).split('\n')[1]}`
    const edits = [{ find: `${find}\n`, replace: `${replace}\n` }]
    const edited = file.text.replace(`${find}\n`, `${replace}\n`)
    await change('edit_file', { path, edits }, putting(path, edited))
  }

  async function upload(path = somePath(), bytes = smallSize()) {
    const text = agent.someText(bytes)
    tree = putting(path, text)(await agent.upload(path, text))
  }

  async function move() {
    const { path: from } = someFile()
    const to = somePath()
    if (!tree.has(to))
      await change('move_file', { from, to }, (version) => trees.moved(tree, from, to, version))
  }

  async function moveFolder() {
    const from = someFolder()
    const to = `${base}/folder${agent.upTo(FOLDERS)}`
    if (from !== base && !tree.has(to))
      await change('move_file', { from, to }, (version) => trees.moved(tree, from, to, version))
  }

  async function remove() {
    const path = agent.upTo(5) > 0 ? someFile().path : someFolder()
    const rest = trees.without(tree, path)
    // There must always be some to go on with.
    if (trees.filesOf(rest).length < FEWEST_FILES || path === base) return write()
    await change('delete_file', { path }, () => rest)
  }

  async function read() {
    const { path, file } = someFile()
    const { text, version } = file
    if (text.length > MAX_NUMBERED || agent.upTo(4) === 0) return download(path, file)
    const answer = await agent.look('read_file', { path, limit: 0 })
    assertSame(String(answer['content']), numbered(text), path)
    assert.deepEqual([answer['version'], answer['size']], [version, text.length], path)
  }

  async function download(path: string, { text, version }: File) {
    const found = await agent.download(path)
    assertSame(found.text, text, path)
    assert.equal(found.version, version, path)
  }

  async function readPart() {
    const { path, file } = someFile()
    const from = agent.upTo(file.text.length)
    const to = from + agent.upTo(2_000)
    const { status, body } = await agent.client.get(path, { range: `bytes=${from}-${to}` })
    assert.equal(status, 206, path)
    assertSame(body.toString(), file.text.slice(from, to + 1), path)
  }

  async function readResource() {
    const { path, file } = someFile()
    assertSame((await agent.client.resource(path)) ?? '', file.text, path)
  }

  async function list() {
    const folder = someFolder()
    const { entries } = await agent.look('list_folder', { path: folder })
    const wanted = trees.childrenOf(tree, folder).map(({ name, file }) => [name, file?.text.length])
    const rows = entries as { name: string; size?: number }[]
    assert.deepEqual(
      rows.map(({ name, size }) => [name, size]),
      wanted,
    )
  }

  async function find() {
    const glob = { pattern: '*.txt', glob: true, type: 'file', root: base }
    const { matches } = await agent.look('find_files', glob)
    const wanted = trees.filesOf(tree).map(({ path }) => path.slice(base.length + 1))
    assert.deepEqual([...(matches as string[])].sort(), wanted.sort())
  }

  async function search() {
    const pattern = `^head ${agent.any(WORDS)} `
    const found = await agent.look('search_files', { pattern, root: base })
    const count = (text: string) => text.match(new RegExp(pattern, 'gm'))?.length ?? 0
    const counts = trees.filesOf(tree).map(({ file }) => count(file.text))
    const wanted = [counts.filter((each) => each > 0).length, counts.reduce((a, b) => a + b, 0)]
    assert.deepEqual([found['total_files'], found['total_matches']], wanted, pattern)
  }

  async function history() {
    const { path, file } = someFile()
    const { versions } = await agent.look('file_history', { path, limit: 3 })
    const [newest] = versions as { version: number; size: number }[]
    assert.deepEqual([newest?.version, newest?.size], [file.version, file.text.length], path)
  }

  /** Calls that have to be refused, after which everything is as it was. */
  async function refused() {
    const { path, file } = someFile()
    const stale = { if_version: file.version - 1 }
    const wrong: readonly [string, string, Arguments][] = [
      ['VERSION_CONFLICT', 'write_file', { path, content: 'torn', ...stale }],
      ['VERSION_CONFLICT', 'delete_file', { path, ...stale }],
      ['FIND_NOT_FOUND', 'edit_file', { path, edits: [{ find: 'no such text', replace: '' }] }],
      ['TARGET_EXISTS', 'move_file', { from: path, to: base }],
      ['FILE_NOT_FOUND', 'read_file', { path: `${path}.not` }],
      ['PREVIEW_STALE', 'write_file', { path, content: 'torn' }],
    ]
    const [code, tool, args] = agent.any(wrong)
    const unknown = { 'dev.edgewise/preview': '0f0f0f0f-0000-4000-8000-000000000000' }
    const done = await agent.client.call(tool, args, code === 'PREVIEW_STALE' ? unknown : {})
    assert.deepEqual(done, { ok: false, code })
    const put = await agent.client.put(path, { 'if-match': `"${file.version - 1}"` }, 'torn')
    assert.equal(put.status, 412)
    await download(path, file)
  }

  const writeLarge = () => write(largePath(), LARGE_BYTES + agent.upTo(LARGE_BYTES))
  const uploadLarge = () => upload(largePath(), LARGE_BYTES + agent.upTo(LARGE_BYTES))

  const works: Work[] = [
    [20, read],
    [3, readPart],
    [3, readResource],
    [12, () => write()],
    [4, append],
    [10, edit],
    [4, () => upload()],
    [1, writeLarge],
    [1, uploadLarge],
    [4, move],
    [1, moveFolder],
    [3, remove],
    [4, list],
    [2, find],
    [4, search],
    [2, history],
    [2, refused],
  ]
  for (let at = 0; at < FOLDERS; at++) await write(`${base}/folder${at}/file0.txt`)
  for (let at = 0; at < LARGE_FILES; at++)
    await upload(`${base}/large${at}.txt`, LARGE_BYTES + agent.upTo(LARGE_BYTES))
  return { works, tree: () => tree }
}
