/** The steps of the tour that change files. Each does the same to a tree in memory. @module */

import assert from 'node:assert/strict'
import type { Workspace } from './workspace.ts'
import { filesIn, linesOf, type Tree } from './tree.ts'

/** Edits a file at the version that was read. */
export async function edit(
  workspace: Workspace,
  name: string,
  version: number,
  tree: Tree,
): Promise<void> {
  const text = linesOf(tree, name).join('\n')
  const once = (line: string) => line.length > 10 && text.indexOf(line) === text.lastIndexOf(line)
  const find = text.split('\n').find(once)
  assert(find, `${name} has no line that occurs once`)
  const replace = `${find} // edited: $& \u{1f44b}`
  const args = { path: workspace.path(name), edits: [{ find, replace }], if_version: version }
  await workspace.call('edit_file', args)
  tree.set(name, Buffer.from(text.split(find).join(replace)))
  console.log(`  Edited ${name}`)
}

/** Checks that a write at an outdated version fails. */
export async function conflict(workspace: Workspace, name: string, version: number): Promise<void> {
  const args = { path: workspace.path(name), content: 'Lost!', if_version: version }
  const result = await workspace.client.callTool({ name: 'write_file', arguments: args })
  const error = { code: 'VERSION_CONFLICT', if_version: version }
  assert.partialDeepStrictEqual(result, { isError: true, _meta: { 'dev.edgewise/error': error } })
  console.log(`  Conflict: version ${version} is no longer current`)
}

const TARGET = 'moved by the tour/'

/** Moves the folder with most entries into a new one; returns a function that moves it back. */
export async function moveFolder(workspace: Workspace, tree: Tree): Promise<() => Promise<void>> {
  const folders = [...tree.keys()].filter((name) => /^[^/]+\/$/.test(name))
  const name = folders.sort((a, b) => below(tree, b).length - below(tree, a).length)[0]
  assert(name, `${workspace.folder} has no folder`)
  // A target that ends in a slash would be a folder to put the source into.
  const [from, to] = [name, TARGET + name].map((one) => workspace.path(one.slice(0, -1)))
  assert(from && to)
  await workspace.call('move_file', { from, to })
  for (const each of below(tree, name)) rename(tree, each, TARGET + each)
  tree.set(TARGET, Buffer.alloc(0))
  console.log(`  Moved ${from} to ${to}, with ${below(tree, TARGET + name).length} entries`)

  return async () => {
    await workspace.call('move_file', { from: to, to: from })
    await workspace.call('delete_file', { path: workspace.path(TARGET) })
    tree.delete(TARGET)
    for (const each of below(tree, TARGET)) rename(tree, each, each.slice(TARGET.length))
  }
}

/** Returns a folder and everything in it. */
function below(tree: Tree, folder: string): string[] {
  return [...tree.keys()].filter((name) => name.startsWith(folder))
}

function rename(tree: Tree, from: string, to: string): void {
  tree.set(to, tree.get(from) ?? Buffer.alloc(0))
  tree.delete(from)
}

/** Deletes the last file. */
export async function deleteFile(workspace: Workspace, tree: Tree): Promise<void> {
  const name = filesIn(tree).at(-1)
  assert(name, `${workspace.folder} has no file`)
  await workspace.call('delete_file', { path: workspace.path(name) })
  tree.delete(name)
  console.log(`  Deleted ${name}`)
}

/** Uploads, over plain HTTP, every file of one tree that differs in another. */
export async function putBack(workspace: Workspace, tree: Tree, current: Tree): Promise<void> {
  for (const name of filesIn(tree)) {
    const bytes = tree.get(name)
    if (bytes && !current.get(name)?.equals(bytes)) await workspace.upload(name, bytes)
  }
}
