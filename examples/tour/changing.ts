/** The steps of the tour that change something. Each does the same to a tree in memory. @module */

import assert from 'node:assert/strict'
import type { Place } from './place.ts'
import { filesIn, linesOf, type Tree } from './tree.ts'

/** Edits what has been read, and refuses when it is not what has been read any more. */
export async function edit(place: Place, name: string, version: number, tree: Tree): Promise<void> {
  const text = linesOf(tree, name).join('\n')
  const once = (line: string) => line.length > 10 && text.indexOf(line) === text.lastIndexOf(line)
  const find = text.split('\n').find(once)
  assert(find, `${name} has no line that occurs once`)
  const replace = `${find} // edited: $& \u{1f44b}`
  const args = { path: place.path(name), edits: [{ find, replace }], if_version: version }
  await place.call('edit_file', args)
  tree.set(name, Buffer.from(text.split(find).join(replace)))
  console.log(`  Edited ${name}`)
}

/** The version that was read before the edit is not good for another change. */
export async function conflict(place: Place, name: string, version: number): Promise<void> {
  const args = { path: place.path(name), content: 'Lost!', if_version: version }
  const result = await place.client.callTool({ name: 'write_file', arguments: args })
  const error = { code: 'VERSION_CONFLICT', if_version: version }
  assert.partialDeepStrictEqual(result, { isError: true, _meta: { 'dev.edgewise/error': error } })
  console.log(`  Refused to write over what has changed since version ${version}`)
}

const AWAY = 'moved by the tour/'

/** Moves the fullest folder into a new one; answers how it is undone. */
export async function moveFolder(place: Place, tree: Tree): Promise<() => Promise<void>> {
  const folders = [...tree.keys()].filter((name) => /^[^/]+\/$/.test(name))
  const name = folders.sort((a, b) => below(tree, b).length - below(tree, a).length)[0]
  assert(name, `${place.folder} has no folder in it`)
  const [from, to] = [place.path(name), place.path(AWAY + name)]
  await place.call('move_file', { from, to })
  for (const each of below(tree, name)) rename(tree, each, AWAY + each)
  tree.set(AWAY, Buffer.alloc(0))
  console.log(`  Moved ${from} to ${to}, with ${below(tree, AWAY + name).length} entries`)

  return async () => {
    await place.call('move_file', { from: to, to: from })
    await place.call('delete_file', { path: place.path(AWAY) })
    tree.delete(AWAY)
    for (const each of below(tree, AWAY)) rename(tree, each, each.slice(AWAY.length))
  }
}

/** A folder and everything in it. */
function below(tree: Tree, folder: string): string[] {
  return [...tree.keys()].filter((name) => name.startsWith(folder))
}

function rename(tree: Tree, from: string, to: string): void {
  tree.set(to, tree.get(from) ?? Buffer.alloc(0))
  tree.delete(from)
}

export async function deleteFile(place: Place, tree: Tree): Promise<void> {
  const name = filesIn(tree).at(-1)
  assert(name, `${place.folder} has no file in it`)
  await place.call('delete_file', { path: place.path(name) })
  tree.delete(name)
  console.log(`  Deleted ${name}`)
}

/** Uploads over plain HTTP what one tree has and another has not. */
export async function putBack(place: Place, tree: Tree, current: Tree): Promise<void> {
  for (const name of filesIn(tree)) {
    const bytes = tree.get(name)
    if (bytes && !current.get(name)?.equals(bytes)) await place.upload(name, bytes)
  }
}
