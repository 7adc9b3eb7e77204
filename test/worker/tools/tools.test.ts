import { expect, it, describe } from 'vitest'
import { bytesOf, freshWorkspace, errorOf } from '../../support/worker/client.ts'
import { PNG } from '../../support/worker/media-samples.ts'

describe('read_file', () => {
  it('numbers lines, and names the version and the next range', async () => {
    const { call, put } = freshWorkspace()
    await put('/a.txt', 'one\ntwo\nthree\nfour\n')
    const { result } = await call('read_file', { path: 'a.txt', start_line: 2, limit: 2 })
    expect(result?.content[0]?.text).toMatch(
      /^2: two\n3: three\n\(version 1; lines 2-3 of 4, .*start_line 4\)$/,
    )
    expect(result?.structuredContent).toEqual({
      path: 'a.txt',
      content: '2: two\n3: three',
      count: 2,
      total: 4,
      start_line: 2,
      truncated: true,
      truncated_reason: ['line_limit'],
      next_start_line: 4,
      version: 1,
      size: 19,
      mime: 'text/plain',
    })
  })

  it('truncates by bytes and by line, with a notice', async () => {
    const { call, put } = freshWorkspace()
    await put('/wide.txt', `${'x'.repeat(30_000)}\nshort`)
    const { result } = await call('read_file', { path: 'wide.txt' })
    const wide = result?.structuredContent
    expect(result?.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /read on in a cut line with start_line 1, column 12801, limit 1\)$/,
        ),
      },
    ])
    expect(wide).toMatchObject({
      code: 'TRUNCATED_LONG_LINES',
      truncated_reason: ['long_lines'],
      count: 2,
      cut_lines: [{ start_line: 1, column: 12_801, limit: 1 }],
    })
    expect(String(wide?.['content'])).toContain('[TRUNCATED: 17200 bytes hidden]')
    await put('/long.txt', 'a line of text\n'.repeat(10_000))
    const long = (await call('read_file', { path: 'long.txt', limit: 0 })).result?.structuredContent
    expect(long).toMatchObject({ truncated: true, truncated_reason: ['max_bytes'], total: 10_000 })
  })

  it('reads a range of a file in R2', async () => {
    const { text, put } = freshWorkspace()
    await put(
      '/big.log',
      Array.from({ length: 200_000 }, (_, line) => `line ${line + 1}`).join('\r\n'),
    )
    expect(await text('read_file', { path: 'big.log', start_line: 150_000, limit: 2 })).toMatch(
      /^150000: line 150000\n150001: line 150001\n\(version 1; lines 150000-150001 of 200000, .*start_line 150002\)$/,
    )
  })

  it('reads a large file as a small one: its mark, its characters, and whether it is text at all', async () => {
    const { text, call, code, put } = freshWorkspace()
    // Three bytes each, so that some are cut by the pieces of the stream.
    await put('/large.txt', `\ufeff${'€€€€€€€\n'.repeat(60_000)}end`)
    expect(await text('read_file', { path: 'large.txt', limit: 1 })).toMatch(/^1: €{7}\n/)
    expect(await text('read_file', { path: 'large.txt', start_line: 60_000 })).toMatch(
      /^60000: €{7}\n60001: end$/,
    )
    for (const [path, end] of [
      ['nul', 0],
      ['latin1', 0xe9],
    ] as const) {
      await put(`/${path}`, new Uint8Array(1_300_000).fill(0x61).fill(end, -1))
      const { result } = await call('read_file', { path })
      expect(result?.structuredContent).toMatchObject({ encoding: 'damaged', total: 1 })
    }
    const half = (at: number) => (at > 100 && at < 20_000 && at % 2 === 0 ? 0 : 0x61)
    await put(
      '/nuls',
      Uint8Array.from({ length: 1_300_000 }, (_, at) => half(at)),
    )
    expect(await code('read_file', { path: 'nuls' })).toBe('BINARY_FILE')
  })

  it.each([
    ['', 0, /^\(version 1; [^0-9]*\)$/],
    ['one', 5, /^\(version 1; .*5.* 1 .*\)$/],
  ])('returns a notice if there is nothing to show: %j', async (content, start, notice) => {
    const { call, put } = freshWorkspace()
    await put('/a', content)
    const { result } = await call('read_file', {
      path: 'a',
      ...(start > 0 && { start_line: start }),
    })
    expect(result?.content[0]?.text).toMatch(notice)
    expect(result?.structuredContent).toMatchObject({ code: 'EMPTY_RANGE' })
  })

  it.each([
    [{ offset: 2 }, 'INVALID_OFFSET', 'start_line'],
    [{ offset: 2, limit: 1 }, 'INVALID_OFFSET', 'start_line'],
    [{ start_line: 2, encoding: 'base64' }, 'INVALID_START_LINE', 'offset'],
    [{ column: 2, encoding: 'base64' }, 'INVALID_COLUMN', 'offset'],
  ])('refuses %j, which would read another part than was asked for', async (args, code, use) => {
    const { call, put } = freshWorkspace()
    await put('/a', 'one\ntwo\n')
    const { result } = await call('read_file', { path: 'a', ...args })
    expect(errorOf(result)['code']).toBe(code)
    expect(result?.content[0]?.text).toContain(`Use ${use}`)
  })

  it('returns an image as an image, and refuses other binary files', async () => {
    const { call, code, put } = freshWorkspace()
    await put('/a.png', PNG)
    await put('/a.bin', PNG.slice(0, 40))
    await put('/latin1.txt', new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
    const { result } = await call('read_file', { path: 'a.png' })
    expect(result?.content[1]).toEqual({
      type: 'image',
      data: btoa(String.fromCharCode(...PNG)),
      mimeType: 'image/png',
    })
    expect(await code('read_file', { path: 'a.bin' })).toBe('BINARY_FILE')
    expect(await code('read_file', { path: 'latin1.txt' })).toBeUndefined()
  })
})

it('read_multiple_files keeps a limit that is smaller than the number of its files', async () => {
  const { call, put } = freshWorkspace()
  const paths = ['a', 'b', 'c']
  for (const path of paths) await put(`/${path}`, 'one\ntwo\n')
  const policy = { read_max_bytes: 2 }
  const { result } = await call('read_multiple_files', { paths }, { policy })
  const content = '1: o[TRUNCATED: 2 bytes hidden]'
  expect(result?.structuredContent).toMatchObject({
    files: paths.map((path) => ({ path, content, count: 1, total: 2, truncated: true })),
  })
})

it('read_multiple_files shares the output limit, and one error does not affect the other files', async () => {
  const { call, put } = freshWorkspace()
  await put('/a', 'one')
  await put('/b', 'x\n'.repeat(60_000))
  const { result } = await call('read_multiple_files', { paths: ['a', 'b', 'missing', 'c\u0000'] })
  const files = result?.structuredContent['files']
  expect(files).toMatchObject([
    { path: 'a', content: '1: one', count: 1, total: 1, truncated: false },
    { path: 'b', truncated: true, total: 60_000 },
    { path: 'missing', code: 'FILE_NOT_FOUND' },
    { path: 'c\u0000', code: 'INVALID_PATH' },
  ])
})

describe('write_file', () => {
  it.each([
    ['append', 'old', 'new', 'old\nnew'],
    ['append', 'old\n', 'new', 'old\nnew'],
    ['append', 'old', '\nnew', 'old\nnew'],
    ['prepend', 'old', 'new', 'new\nold'],
    ['prepend', '', 'new', 'new'],
    ['append', 'a\r\nb\r\n', 'c\nd', 'a\r\nb\r\nc\r\nd'],
    ['append', 'a\r\r\nb\r\n', 'c\r\nd', 'a\r\r\nb\r\nc\r\nd'],
    ['prepend', 'a\r\r\nb\r\n', 'c\n', 'c\r\na\r\r\nb\r\n'],
    ['append', '\ufeffold', 'new', '\ufeffold\nnew'],
    ['overwrite', 'old', '', ''],
  ])('%s: %j and %j make %j', async (mode, old, content, expected) => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', old)
    await text('write_file', { path: 'a', content, mode })
    expect(await raw('/a')).toEqual(bytesOf(expected))
  })

  it('refuses a new path that ends in a slash, as that of a folder', async () => {
    const { call, text, code } = freshWorkspace()
    const { result } = await call('write_file', { path: '/docs/', content: 'x' })
    expect(errorOf(result)['code']).toBe('INVALID_PATH')
    expect(result?.content[0]?.text).toContain('Add the name of the file')
    expect(await code('read_file', { path: '/docs' })).toBe('FILE_NOT_FOUND')
    await text('write_file', { path: '/docs', content: 'x' })
    expect(await text('write_file', { path: '/docs/', content: 'y' })).toContain('Wrote docs')
  })

  it('refuses to append to a file that it cannot read', async () => {
    const { code, put, raw } = freshWorkspace()
    const binary = new Uint8Array([0xff, 0, 0, 1])
    await put('/a', binary)
    expect(await code('write_file', { path: 'a', content: 'x', mode: 'append' })).toBe(
      'BINARY_FILE',
    )
    expect(await raw('/a')).toEqual(binary)
  })
})

describe('edit_file', () => {
  it('applies each edit to the result of the one before, or none at all', async () => {
    const { call, code, put, raw } = freshWorkspace()
    await put('/a', 'one two')
    const edits = [
      { find: 'one', replace: 'three' },
      { find: 'three two', replace: '$& four' },
    ]
    const { result } = await call('edit_file', { path: 'a', edits })
    expect(result?.structuredContent).toEqual({ path: 'a', match_count: 2, version: 2 })
    expect(await raw('/a')).toEqual(bytesOf('$& four'))
    expect(
      await code('edit_file', {
        path: 'a',
        edits: [
          { find: '$&', replace: 'x' },
          { find: 'no', replace: '' },
        ],
      }),
    ).toBe('FIND_NOT_FOUND')
    expect(await raw('/a')).toEqual(bytesOf('$& four'))
  })

  it('keeps line endings and a byte order mark', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/crlf', '\ufeffone\r\ntwo\r\n')
    await text('edit_file', { path: 'crlf', edits: [{ find: 'one\ntwo', replace: '1\n2\n3' }] })
    expect(await raw('/crlf')).toEqual(bytesOf('\ufeff1\r\n2\r\n3\r\n'))
    await put('/returns', 'one\r\r\ntwo\r\n')
    await text('edit_file', { path: 'returns', edits: [{ find: 'two\r\n', replace: '2\r\n' }] })
    expect(await raw('/returns')).toEqual(bytesOf('one\r\r\n2\r\n'))
    await put('/mixed', 'one\r\ntwo\n')
    await text('edit_file', { path: 'mixed', edits: [{ find: 'two', replace: '2' }] })
    expect(await raw('/mixed')).toEqual(bytesOf('one\r\n2\n'))
  })

  it('shows the lines nearest to a text that it cannot find', async () => {
    const { call, put } = freshWorkspace()
    await put('/a.ts', 'import x\n\nfunction greet(name) {\n  return name\n}\n')
    const { result } = await call('edit_file', {
      path: 'a.ts',
      edits: [{ find: 'function great(name)', replace: '' }],
    })
    expect(errorOf(result)).toMatchObject({
      code: 'FIND_NOT_FOUND',
      nearest: [{ line: 3, text: 'function greet(name) {' }],
    })
  })

  it('names the lines of an ambiguous text, overlaps included', async () => {
    const { call, put } = freshWorkspace()
    await put('/a', 'x\nfoo\ny\nfoo foo\naaa')
    const { result } = await call('edit_file', { path: 'a', edits: [{ find: 'foo', replace: '' }] })
    expect(errorOf(result)).toMatchObject({
      code: 'FIND_NOT_UNIQUE',
      lines: [2, 4],
      match_count: 3,
    })
    const overlapping = await call('edit_file', { path: 'a', edits: [{ find: 'aa', replace: '' }] })
    expect(errorOf(overlapping.result)).toMatchObject({
      code: 'FIND_NOT_UNIQUE',
      match_count: 2,
    })
  })
})

describe('move_file and delete_file', () => {
  it('move a folder, create parent folders, and overwrite nothing', async () => {
    const { text, code, put } = freshWorkspace()
    await put('/a/b/1', 'one')
    await put('/c', 'two')
    expect(await text('move_file', { from: 'a', to: 'x/y' })).toBe(
      'Moved a to x/y with 1 file, 3 bytes',
    )
    expect(await text('find_files', {})).toBe('c\nx/\nx/y/\nx/y/b/\nx/y/b/1')
    expect(await code('move_file', { from: 'c', to: 'x/y' })).toBe('TARGET_EXISTS')
    expect(await code('move_file', { from: 'x', to: 'x/y/z' })).toBe('INVALID_TO')
    expect(await code('move_file', { from: 'c', to: 'x/y/b/1/deep' })).toBe('NOT_A_FOLDER')
    expect(await code('move_file', { from: '/', to: 'z' })).toBe('MOVE_ROOT_DENIED')
    expect(await code('delete_file', { path: '/' })).toBe('DELETE_ROOT_DENIED')
    expect(await text('delete_file', { path: 'x' })).toBe('Deleted x with 1 file, 3 bytes')
    expect(await code('delete_file', { path: 'x' })).toBe('FILE_NOT_FOUND')
  })

  it('refuse a target whose paths would be too long', async () => {
    const { code, put, text } = freshWorkspace()
    await put(`/a/${'n'.repeat(900)}`, 'one')
    expect(await code('move_file', { from: 'a', to: 'm'.repeat(200) })).toBe('INVALID_PATH')
    expect(await text('find_files', { type: 'dir' })).toBe('a/')
  })
})

it.each([
  ['search_files', { pattern: 'a', max_results: 1 }, 'known: pattern, literal, root, glob'],
  ['move_file', { source: 'a', destination: 'b' }, 'known: from, to'],
  ['edit_file', { path: 'a', edits: [{ old: 'a', new: 'b' }] }, 'known: find, replace)'],
  ['edit_file', { file: 'a', edits: [] }, 'known: path, edits, if_version)'],
])('%s names the arguments that it has where it has no %j', async (name, args, known) => {
  const { call } = freshWorkspace()
  const { result } = await call(name, args)
  expect(result?.content[0]?.text).toContain(known)
})

describe('if_version', () => {
  const cases: [string, Record<string, unknown>][] = [
    ['write_file', { path: 'a', content: 'new' }],
    ['edit_file', { path: 'a', edits: [{ find: 'one', replace: 'new' }] }],
    ['move_file', { from: 'a', to: 'b' }],
    ['delete_file', { path: 'a' }],
  ]

  it.each(cases)('%s does not overwrite another version', async (name, args) => {
    const { call, put, raw } = freshWorkspace()
    await put('/a', 'zero')
    await put('/a', 'one')
    for (const version of [0, 1, 99]) {
      const { result } = await call(name, { ...args, if_version: version })
      expect(errorOf(result)).toMatchObject({ code: 'VERSION_CONFLICT', version: 2 })
    }
    expect(await raw('/a')).toEqual(bytesOf('one'))
    expect((await call(name, { ...args, if_version: 2 })).result?.isError).toBeUndefined()
  })

  it('0 requires a new file', async () => {
    const { code, text } = freshWorkspace()
    await text('write_file', { path: 'a', content: '1', if_version: 0 })
    expect(await code('write_file', { path: 'a', content: '2', if_version: 0 })).toBe(
      'VERSION_CONFLICT',
    )
    await text('delete_file', { path: 'a' })
    await text('write_file', { path: 'a', content: '3', if_version: 0 })
  })

  it('of a folder includes changes below it', async () => {
    const { code, put, text } = freshWorkspace()
    await put('/d/a', '1')
    await put('/d/b', '2')
    expect(await code('delete_file', { path: 'd', if_version: 1 })).toBe('VERSION_CONFLICT')
    await text('delete_file', { path: 'd', if_version: 2 })
  })
})

it('a preview returns the same result as the call and changes nothing', async () => {
  const { call, put, raw } = freshWorkspace()
  await put('/a', 'one')
  const args = { path: 'a', content: 'two' }
  const preview = await call('write_file', args, { preview: true })
  expect(preview.result?._meta).toMatchObject({
    preview: true,
    'dev.edgewise/change': { applied: false },
  })
  expect(await raw('/a')).toEqual(bytesOf('one'))
  const real = await call('write_file', args)
  expect(real.result?._meta['preview']).toBeUndefined()
  expect(real.result?.content[0]).toEqual(preview.result?.content[0])
  expect(real.result?.content.map((block) => block.mimeType)).toEqual(
    preview.result?.content.map((block) => block.mimeType),
  )
  expect(real.result?.structuredContent).toEqual(preview.result?.structuredContent)
  expect(real.result?._meta['dev.edgewise/change']).toMatchObject({
    applied: true,
    intent: 'Write to /a',
    version: 2,
  })
})

describe('find_files', () => {
  async function tree() {
    const workspace = freshWorkspace()
    for (const path of [
      'src/main.ts',
      'src/Main.test.ts',
      'src/lib/util.ts',
      'docs/readme.md',
      '.env',
      '.git/HEAD',
      'node_modules/x/index.ts',
    ]) {
      await workspace.put(`/${path}`, path)
    }
    return workspace
  }

  it.each([
    [
      {},
      'docs/ docs/readme.md node_modules/ node_modules/x/ node_modules/x/index.ts src/ src/Main.test.ts src/lib/ src/lib/util.ts src/main.ts',
    ],
    [{ pattern: 'main' }, 'src/Main.test.ts src/main.ts'],
    [{ pattern: 'Main' }, 'src/Main.test.ts'],
    [{ pattern: 'MAIN', case_sensitive: false }, 'src/Main.test.ts src/main.ts'],
    [{ pattern: '^u.*s$' }, 'src/lib/util.ts'],
    [
      { pattern: '*.ts', glob: true, exclude: ['node_modules'] },
      'src/Main.test.ts src/lib/util.ts src/main.ts',
    ],
    [{ pattern: 'src/**/*.ts', glob: true }, 'src/Main.test.ts src/lib/util.ts src/main.ts'],
    [
      { pattern: '*.ts', glob: true, exclude: ['lib/', '*.test.ts', '/node_modules'] },
      'src/main.ts',
    ],
    [{ type: 'dir', max_depth: 1 }, 'docs/ node_modules/ src/'],
    [{ root: 'src', type: 'file' }, 'Main.test.ts lib/util.ts main.ts'],
    [{ pattern: 'env|HEAD', hidden: true }, '.env .git/HEAD'],
    [{ type: 'symlink' }, ''],
  ])('%j', async (args, expected) => {
    const { call } = await tree()
    const { result } = await call('find_files', args)
    expect(result?.structuredContent['matches']).toEqual(expected === '' ? [] : expected.split(' '))
  })

  it('paginates', async () => {
    const { text } = await tree()
    expect(await text('find_files', { type: 'file', limit: 2 })).toMatch(
      /^docs\/readme.md\nnode_modules\/x\/index.ts\n\(more.* cursor [\w-]+ or offset 2\)$/,
    )
    expect(await text('find_files', { type: 'file', limit: 3, offset: 2 })).toBe(
      'src/Main.test.ts\nsrc/lib/util.ts\nsrc/main.ts',
    )
  })

  it.each([
    [{ pattern: '(' }, 'INVALID_PATTERN'],
    [{ pattern: '[', glob: true }, 'INVALID_GLOB'],
    [{ exclude: ['{'] }, 'INVALID_GLOB'],
    [{ root: 'missing' }, 'FILE_NOT_FOUND'],
    [{ root: 'docs/readme.md' }, 'NOT_A_FOLDER'],
    [{ limit: -1 }, 'INVALID_LIMIT'],
  ])('refuses %j with %s', async (args, expected) => {
    const { code } = await tree()
    expect(await code('find_files', args)).toBe(expected)
  })
})

describe('search_files', () => {
  it('finds lines with context, in the format of ripgrep', async () => {
    const { text, put } = freshWorkspace()
    await put('/a.txt', 'one\ntwo\nthree\nfour\nfive\n')
    await put('/b/c.md', 'Two words\n')
    expect(await text('search_files', { pattern: 'two' })).toBe(
      'a.txt\n2: two\n\nb/c.md\n1: Two words',
    )
    expect(await text('search_files', { pattern: 'Two' })).toBe('b/c.md\n1: Two words')
    expect(await text('search_files', { pattern: 'two', context: 1, root: 'a.txt' })).toBe(
      'a.txt\n1- one\n2: two\n3- three',
    )
    expect(await text('search_files', { pattern: 'o', glob: ['*.md'] })).toBe(
      'b/c.md\n1: Two words',
    )
    expect(
      await text('search_files', { pattern: 'o', glob: ['!*.md'], case_sensitive: true }),
    ).toContain('4: four')
    expect(await text('search_files', { pattern: 'nowhere' })).toBe('No matches')
  })

  it('skips binary and hidden files', async () => {
    const { text, put } = freshWorkspace()
    await put('/bin', new Uint8Array([0, ...bytesOf('needle')]))
    await put('/.hidden', 'needle')
    expect(await text('search_files', { pattern: 'needle' })).toBe(
      'No matches in what was searched\n(files not searched: 1 not text: bin; 1 hidden, set hidden)',
    )
    expect(await text('search_files', { pattern: 'needle', hidden: true })).toBe(
      '.hidden\n1: needle\n(files not searched: 1 not text)',
    )
  })

  it('finds changed content, before and after it is indexed, and in R2', async () => {
    const { text, put } = freshWorkspace()
    await put('/large', `${'filler\n'.repeat(30_000)}needle in R2\n`)
    await put('/a', 'needle one')
    const early = await text('search_files', { pattern: 'needle' })
    await scheduler.wait(800)
    expect(await text('search_files', { pattern: 'needle' })).toBe(early)
    expect(early).toContain('30001: needle in R2')
    await text('write_file', { path: 'a', content: 'thread' })
    expect(await text('search_files', { pattern: 'needle|thread', root: 'a' })).toContain('thread')
    expect(await text('search_files', { pattern: 'needle' })).not.toContain('needle one')
  })

  it('drops context first, then lines, and always counts correctly', async () => {
    const { call, put } = freshWorkspace()
    for (let file = 0; file < 30; file++)
      await put(`/f${file}`, `${'hit\nmiss\n'.repeat(20 * (file + 1))}`)
    const full = (await call('search_files', { pattern: 'hit', root: 'f1' })).result
      ?.structuredContent
    expect(full).toMatchObject({ mode: 'full', total_matches: 40, truncated: false })
    const reduced = (
      await call('search_files', { pattern: 'hit', context: 5, glob: ['f1', 'f1[0-3]'] })
    ).result?.structuredContent
    expect(reduced).toMatchObject({ mode: 'reduced', truncated: true, total_files: 5 })
    await put('/more', 'hit\n'.repeat(20_000))
    const summary = (await call('search_files', { pattern: 'hit' })).result?.structuredContent
    expect(summary).toMatchObject({
      mode: 'summary',
      count: 20,
      total_files: 31,
      total_matches: 20_000 + 20 * 465,
    })
    expect(summary?.['files']).toEqual(
      expect.arrayContaining([
        { path: 'more', count: 20_000 },
        { path: 'f29', count: 600 },
      ]),
    )
  })
})
