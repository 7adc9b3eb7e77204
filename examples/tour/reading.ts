/** The steps of the tour that only look. Each compares what it is told with the exported tree. @module */

import assert from 'node:assert/strict'
import type { Place } from './place.ts'
import { filesIn, linesOf, type Tree } from './tree.ts'

/** Every file by name, a page at a time. */
export async function findAll(place: Place, tree: Tree): Promise<void> {
  const found: unknown[] = []
  const query = { root: place.folder, type: 'file', hidden: true, limit: 300 }
  for (let more = true; more;) {
    const page = await place.call('find_files', { ...query, offset: found.length })
    assert(Array.isArray(page['matches']))
    found.push(...page['matches'])
    more = page['truncated'] === true
  }
  assert.deepEqual(found, filesIn(tree))
  console.log(`  Found ${found.length} files, in pages of ${query.limit}`)
}

/** A regular expression, against all files at once. */
export async function search(place: Place, tree: Tree): Promise<void> {
  const pattern = '^ *export (declare )?(async )?(class|function|interface) \\w+'
  const args = { root: place.folder, pattern, case_sensitive: true, hidden: true }
  const { total_files, total_matches } = await place.call('search_files', args)

  const matches = (line: string) => new RegExp(pattern).test(line)
  const counts = filesIn(tree).map((name) => linesOf(tree, name).filter(matches).length)
  const files = counts.filter((count) => count > 0).length
  const lines = counts.reduce((sum, count) => sum + count, 0)
  assert.deepEqual([total_files, total_matches], [files, lines])
  console.log(`  ${lines} lines in ${files} files match ${pattern}`)
}

/** All files as resources, by cursor. */
export async function pageResources(place: Place, tree: Tree): Promise<void> {
  const sizes = new Map<string, number | undefined>()
  let pages = 0
  for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const request = { method: 'resources/list', params } as const
    const { resources, nextCursor } = await place.client.request(request)
    for (const { uri, size } of resources) sizes.set(uri, size)
    cursor = nextCursor
  }
  for (const name of filesIn(tree))
    assert.equal(sizes.get(`file://${place.encodedPath(name)}`), tree.get(name)?.length, name)
  console.log(`  ${sizes.size} resources in ${pages} pages`)
}

/** Five lines from the middle of a file; answers the file's version. */
export async function readRange(place: Place, name: string, tree: Tree): Promise<number> {
  const lines = linesOf(tree, name)
  const start = Math.floor(lines.length / 2)
  const args = { path: place.path(name), start_line: start, limit: 5 }
  const { content, version } = await place.call('read_file', args)
  const expected = lines.slice(start - 1, start + 4).map((line, at) => `${start + at}: ${line}`)
  assert.equal(content, expected.join('\n'))
  assert(typeof version === 'number')
  console.log(`  Read lines ${start} to ${start + 4} of ${name}, at version ${version}`)
  return version
}
