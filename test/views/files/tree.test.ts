/** The tree's model, its keys and its visible rows. @module */

import { parsePath, ROOT } from '#core/path.ts'
import { parsePage } from '#views/files/tool-results.ts'
import { BlockHeights, visibleRows } from '#views/heights.ts'
import { createTypeAhead, findMove } from '#views/files/tree-keys.ts'
import { Tree, type Folder, type Row } from '#views/files/tree.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'

/** A server in memory: folders end in a slash. */
function serverOf(paths: string[]) {
  const files = new Set(paths)
  const requests: string[] = []
  let broken = false
  const list = (folder: string, after: string, limit: number) => {
    requests.push(`${folder} after ${after || '-'}`)
    if (broken) return Promise.reject(new Error('no line'))
    const above = folder === '/' ? '/' : `${folder}/`
    const names = new Set(
      [...files].flatMap((path) => {
        if (!path.startsWith(above) || path === above) return []
        const [name = '', ...rest] = path.slice(above.length).split('/')
        return [rest.length > 0 ? `${name}/` : name]
      }),
    )
    const sorted = [...names].sort().filter((name) => name.replace('/', '') > after)
    const entries = sorted.slice(0, limit).map((name) => ({
      name: name.replace('/', ''),
      type: name.endsWith('/') ? 'folder' : 'file',
    }))
    const next = sorted.length > limit ? entries.at(-1)?.name : undefined
    return Promise.resolve(parsePage({ entries, next }))
  }
  return { list, requests, files, breakDown: (now: boolean) => void (broken = now) }
}

async function treeOf(paths: string[]) {
  const server = serverOf(paths)
  const tree = new Tree(server.list, () => {})
  tree.setRoots([ROOT])
  await Promise.all(tree.roots.map((root) => tree.open(root)))
  return { tree, server }
}

const shown = (rows: readonly Row[]) =>
  rows.map((row) => (row.type === 'note' ? '…' : `${'  '.repeat(row.level - 1)}${row.name}`))

function folder(rows: readonly Row[], name: string): Folder {
  const found = rows.find((row) => row.type === 'folder' && row.name === name)
  if (found?.type !== 'folder') throw new Error(`There is no folder ${name}`)
  return found
}

const MANY = Array.from({ length: 2_500 }, (_, n) => `/many/${String(n).padStart(5, '0')}`)

describe('a tree', () => {
  it('reads a folder when it opens, and shows folders first, numbers as numbers', async () => {
    const { tree, server } = await treeOf(['/b10', '/b9', '/z/1', '/a/1', '/a/c/2'])
    expect(shown(tree.rows)).toEqual(['a', 'z', 'b9', 'b10'])
    await tree.open(folder(tree.rows, 'a'))
    expect(shown(tree.rows)).toEqual(['a', '  c', '  1', 'z', 'b9', 'b10'])
    expect(server.requests).toEqual(['/ after -', '/a after -'])
    await tree.toggle(folder(tree.rows, 'a'))
    await tree.toggle(folder(tree.rows, 'a'))
    expect(server.requests).toHaveLength(2)
  })

  it('reads a long folder page by page, in the order of the server', async () => {
    const { tree } = await treeOf(MANY)
    const many = folder(tree.rows, 'many')
    await tree.open(many)
    expect(many.children).toHaveLength(200)
    expect(shown(tree.rows).at(-1)).toBe('…')
    for (const length of [1_200, 2_200, 2_500]) {
      await tree.loadMore(many)
      expect(many.children).toHaveLength(length)
    }
    expect(many.next).toBe('')
    expect(many.children.map(({ path }) => path)).toEqual(MANY)
    expect(many.children.every(({ index }, at) => index === at)).toBe(true)
  })

  it('shows that a folder is empty, or that it could not be read', async () => {
    const { tree, server } = await treeOf(['/empty/', '/x/1'])
    await tree.open(folder(tree.rows, 'empty'))
    expect(shown(tree.rows)).toEqual(['empty', '…', 'x'])
    server.breakDown(true)
    const x = folder(tree.rows, 'x')
    await tree.open(x)
    expect(x).toMatchObject({ state: 'failed', error: 'no line' })
    server.breakDown(false)
    await tree.loadMore(x)
    expect(shown(tree.rows)).toContain('  1')
  })

  it('refreshes what was added and removed, and keeps folders open', async () => {
    const { tree, server } = await treeOf(['/a/b/1', '/c'])
    await tree.open(folder(tree.rows, 'a'))
    await tree.open(folder(tree.rows, 'b'))
    for (const path of ['/a/b/2', '/d']) server.files.add(path)
    server.files.delete('/c')
    await tree.refresh()
    expect(shown(tree.rows)).toEqual(['a', '  b', '    1', '    2', 'd'])
    expect(tree.openPaths).toEqual(['/', '/a', '/a/b'])
  })

  it('refreshes a long folder as far as it was read', async () => {
    const { tree, server } = await treeOf(MANY)
    const many = folder(tree.rows, 'many')
    await tree.open(many)
    await tree.loadMore(many)
    server.files.delete('/many/00003')
    await tree.refresh()
    expect(many.children.map(({ name }) => name)).not.toContain('00003')
    expect(many.children.length).toBeGreaterThanOrEqual(1_199)
    for (let pages = 0; many.next && pages < 10; pages++) await tree.loadMore(many)
    expect(many.children).toHaveLength(2_499)
    expect(new Set(many.children.map(({ name }) => name)).size).toBe(2_499)
  })

  it('reveals a path, and gives up beyond the page limit', async () => {
    const { tree } = await treeOf(['/a/b/c/1', ...MANY])
    expect(await tree.reveal(parsePath('/a/b/c/1'))).toMatchObject({ name: '1', level: 4 })
    expect(await tree.reveal(parsePath('/many/02400'))).toMatchObject({ name: '02400' })
    expect(await tree.reveal(parsePath('/a/missing'))).toBeNull()
    expect(await tree.reveal(ROOT)).toBe(tree.roots[0])
  })

  it('shows several roots beside each other', async () => {
    const tree = new Tree(serverOf(['/a/1', '/b/2']).list, () => {})
    tree.setRoots([parsePath('/a'), parsePath('/b')])
    expect(shown(tree.rows)).toEqual(['a', 'b'])
    await tree.open(folder(tree.rows, 'b'))
    expect(shown(tree.rows)).toEqual(['a', 'b', '  2'])
  })
})

describe('keys', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 4, 4],
    ['ArrowUp', 0, 0],
    ['End', 0, 4],
    ['Home', 4, 0],
    ['PageDown', 0, 4],
    ['ArrowRight', 0, 1],
    ['ArrowRight', 3, 'z'],
    ['ArrowRight', 4, null],
    ['ArrowLeft', 0, 'a'],
    ['ArrowLeft', 2, 0],
    ['ArrowLeft', 4, null],
    ['x', 0, null],
  ])('%s on row %d', async (key, at, expected) => {
    const { tree } = await treeOf(['/a/1', '/a/2', '/z/1', '/file'])
    await tree.open(folder(tree.rows, 'a'))
    const move = findMove(key, tree.rows, at)
    expect(typeof move === 'object' ? (move?.name ?? null) : move).toBe(expected)
  })

  it('go to what is typed, and on with the same letter', async () => {
    const { tree } = await treeOf(['/apple', '/banana', '/bread', '/Butter'])
    const type = createTypeAhead()
    expect(type('b', tree.rows, 0, 0)).toBe(1)
    expect(type('r', tree.rows, 1, 100)).toBe(2)
    expect(type('b', tree.rows, 2, 5_000)).toBe(3)
    expect(type('b', tree.rows, 3, 5_100)).toBe(1)
    expect(type('q', tree.rows, 1, 9_000)).toBe(1)
  })
})

describe('visible rows', () => {
  it('is never more than fits, and never out of range', () => {
    fc.assert(
      fc.property(fc.nat(3_000_000), fc.nat(2_000), fc.nat(100_000), (scroll, height, count) => {
        const { from, to } = visibleRows(scroll, height, 28, count)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(count)
        expect(to - from).toBeLessThanOrEqual(height / 28 + 22)
      }),
    )
  })

  it('is found by heights, measured or expected', () => {
    const blocks = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(blocks, fc.double({ min: 0, max: 0.999, noNaN: true }), (sizes, share) => {
        const heights = new BlockHeights(sizes.length, () => 100)
        sizes.forEach((size, block) => heights.measure(block, size))
        const offset = Math.floor(heights.offsetOf(sizes.length) * share)
        const block = heights.blockAt(offset)
        expect(heights.offsetOf(block)).toBeLessThanOrEqual(offset)
        expect(heights.offsetOf(block + 1)).toBeGreaterThan(offset)
      }),
    )
  })
})
