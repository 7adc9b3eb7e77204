/** `search` of the research profile: what it finds, in which order, and how much. */

import { MAX_RESEARCH_QUERY_LENGTH, MAX_RESEARCH_RESULTS } from '#worker/research/limits.ts'
import { createRanking } from '#worker/research/ranking.ts'
import { parsePath } from '#core/path.ts'
import { MAX_SEARCH_MS } from '#worker/limits.ts'
import { describe, expect, it, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { researcher } from '../../support/worker/research.ts'
import { docxParts, makeArchive, paragraph } from '../../support/worker/make-archive.ts'

async function library() {
  const workspace = freshWorkspace()
  const files = {
    '/docs/launch-plan.md': 'The launch is on Monday.',
    '/docs/notes.md': 'Our launch plan: ship it. The plan is short.',
    '/docs/other.md': 'Nothing of the kind.',
    '/docs/Größe.md': 'Maße und Größen, 計画',
    '/.hidden/launch.md': 'launch plan',
    '/pictures/launch.bin': '\0\0binary',
  }
  for (const [path, text] of Object.entries(files)) await workspace.put(encodeURI(path), text)
  return { ...workspace, ...researcher(workspace) }
}

describe('search', () => {
  it('finds files by the words of a question, the best first', async () => {
    const { search } = await library()
    const titles = async (query: string) => (await search(query)).results.map(({ title }) => title)
    expect(await titles('What is the launch plan?')).toEqual([
      'launch-plan.md',
      'notes.md',
      'launch.bin',
      'other.md',
    ])
    expect(await titles('größe')).toEqual(['Größe.md'])
    expect(await titles('計画')).toEqual(['Größe.md'])
    expect(await titles('nowhere')).toEqual([])
  })

  it('gives each result an id, a title and the URL that opens it in the console', async () => {
    const { search, base } = await library()
    const { pathname } = new URL(base)
    expect((await search('Monday')).results).toEqual([
      {
        id: 'file:///docs/launch-plan.md',
        title: 'launch-plan.md',
        url: `http://localhost/?at=${pathname}/mcp#/files?path=%2Fdocs%2Flaunch-plan.md`,
      },
    ])
  })

  it('finds the texts of documents', async () => {
    const { put, search } = await library()
    await put('/report.docx', await makeArchive(docxParts(paragraph('Quarterly zebra figures'))))
    expect((await search('zebra')).results).toMatchObject([{ id: 'file:///report.docx' }])
  })

  it('keeps the id of a file that is changed', async () => {
    const { put, search } = await library()
    const [before] = (await search('Monday')).results
    await put('/docs/launch-plan.md', 'The launch is on Monday or Friday.')
    expect((await search('Friday')).results).toEqual([before])
  })

  it('returns the best results and no more', async () => {
    const workspace = freshWorkspace()
    const write = (index: number) =>
      workspace.put(`/n${index}.md`, 'needle '.repeat(1 + (index % 5)))
    for (let index = 0; index < 2 * MAX_RESEARCH_RESULTS; index++) await write(index)
    const { results } = await researcher(workspace).search('needle')
    expect(results).toHaveLength(MAX_RESEARCH_RESULTS)
    expect(results.slice(0, 8).every(({ title }) => /[49]\.md$/.test(title))).toBe(true)
  })

  it('returns what it has found when its time is over, and says so', async () => {
    const workspace = freshWorkspace()
    const names = Array.from({ length: 30 }, (_, at) => `/${at}.md`)
    for (const name of names) await workspace.put(name, 'needle '.repeat(20_000))
    let now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += MAX_SEARCH_MS / 20))
    const { results, note } = await researcher(workspace).search('needle')
    clock.mockRestore()
    expect(results.length).toBeGreaterThan(0)
    expect(results.length).toBeLessThan(names.length)
    expect(note).toMatch(/^Not all files were searched/)
  })

  it.each([
    ['', 'EMPTY_QUERY'],
    ['?!', 'INVALID_QUERY'],
    ['x'.repeat(MAX_RESEARCH_QUERY_LENGTH + 1), 'INVALID_QUERY'],
    [7, 'INVALID_QUERY'],
  ])('refuses the query %j', async (query, code) => {
    const { code: codeOf } = await library()
    expect(await codeOf('search', { query })).toBe(code)
  })

  it('takes a query of the longest length', async () => {
    const { search } = await library()
    expect(
      (await search('launch '.repeat(200).slice(0, MAX_RESEARCH_QUERY_LENGTH))).results,
    ).toHaveLength(3)
  })
})

describe('a ranking', () => {
  const path = (name: string) => parsePath(`/${name}`)

  it('keeps the better score of a file, and orders equal ones by path', () => {
    const ranking = createRanking(2)
    for (const [name, score] of [
      ['b', 1],
      ['a', 1],
      ['c', 0],
      ['b', 3],
      ['b', 2],
      ['d', 1],
    ] as const)
      ranking.add({ path: path(name), score })
    expect(ranking.list()).toEqual([
      { path: '/b', score: 3 },
      { path: '/a', score: 1 },
    ])
  })
})
