/** The steps of the tour that only read. Each compares its result with the exported tree. @module */

import assert from 'node:assert/strict'
import type { Workspace } from './workspace.ts'
import { filesIn, linesOf, type Tree } from './tree.ts'

/** Finds every file by name, page by page. */
export async function findAll(workspace: Workspace, tree: Tree): Promise<void> {
  const found: unknown[] = []
  const query = { root: workspace.folder, type: 'file', hidden: true, limit: 300 }
  for (let more = true; more;) {
    const page = await workspace.call('find_files', { ...query, offset: found.length })
    assert(Array.isArray(page['matches']))
    found.push(...page['matches'])
    more = page['truncated'] === true
  }
  assert.deepEqual(found, filesIn(tree))
  console.log(`  Found ${found.length} files, in pages of ${query.limit}`)
}

/** Searches all files for a regular expression. */
export async function search(workspace: Workspace, tree: Tree): Promise<void> {
  const pattern = '^ *export (declare )?(async )?(class|function|interface) \\w+'
  const args = { root: workspace.folder, pattern, case_sensitive: true, hidden: true }
  const { total_files, total_matches } = await workspace.call('search_files', args)

  const matches = (line: string) => new RegExp(pattern).test(line)
  const counts = filesIn(tree).map((name) => linesOf(tree, name).filter(matches).length)
  const files = counts.filter((count) => count > 0).length
  const lines = counts.reduce((sum, count) => sum + count, 0)
  assert.deepEqual([total_files, total_matches], [files, lines])
  console.log(`  ${lines} lines in ${files} files match ${pattern}`)
}

/** Lists all files as resources, page by page. */
export async function pageResources(workspace: Workspace, tree: Tree): Promise<void> {
  const sizes = new Map<string, number | undefined>()
  let pages = 0
  for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const request = { method: 'resources/list', params } as const
    const { resources, nextCursor } = await workspace.client.request(request)
    for (const { uri, size } of resources) sizes.set(uri, size)
    cursor = nextCursor
  }
  for (const name of filesIn(tree))
    assert.equal(sizes.get(`file://${workspace.encodedPath(name)}`), tree.get(name)?.length, name)
  console.log(`  ${sizes.size} resources in ${pages} pages`)
}

/** Reads five lines from the middle of a file; returns the file's version. */
export async function readRange(workspace: Workspace, name: string, tree: Tree): Promise<number> {
  const lines = linesOf(tree, name)
  const start = Math.floor(lines.length / 2)
  const args = { path: workspace.path(name), start_line: start, limit: 5 }
  const { content, version } = await workspace.call('read_file', args)
  const expected = lines.slice(start - 1, start + 4).map((line, at) => `${start + at}: ${line}`)
  assert.equal(content, expected.join('\n'))
  assert(typeof version === 'number')
  console.log(`  Read lines ${start} to ${start + 4} of ${name}, at version ${version}`)
  return version
}
