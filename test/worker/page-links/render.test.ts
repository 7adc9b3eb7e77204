/** How each kind of file looks as a page. */

import { describe, expect, it } from 'vitest'
import { MAX_PAGE_CHARACTERS } from '#worker/page-links/limits.ts'
import { sharedFiles } from '../../support/worker/page-links.ts'

const bodyOf = (html: string) => /<main>([^]*)<\/main>/.exec(html)?.[1] ?? ''

async function show(name: string, content: string): Promise<string> {
  const { open } = await sharedFiles({ [`/d/${name}`]: content }, '/d')
  return bodyOf((await open(encodeURIComponent(name))).html)
}

describe('a file', () => {
  it.each([
    ['a.txt', 'x  <b>\n y', '<pre class="plain" dir="auto">x  &lt;b&gt;\n y</pre>'],
    [
      'a.ts',
      'let a = "<"\n// c',
      '<pre tabindex="0" role="region" aria-label="Code"><code><span class="t-keyword">let</span> a = ' +
        '<span class="t-string">&quot;&lt;&quot;</span>\n<span class="t-comment">// c</span></code></pre>',
    ],
    ['LICENSE', 'MIT', '<pre class="plain" dir="auto">MIT</pre>'],
    [
      'a.unknown',
      '<i>',
      '<pre tabindex="0" role="region" aria-label="Code"><code>&lt;i&gt;</code></pre>',
    ],
  ])('%s', async (name, content, expected) => {
    expect(await show(name, content)).toBe(expected)
  })

  it('of values is a table with its first row as the head', async () => {
    const cells = (html: string) =>
      [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
      )
    const expected = [
      ['a', 'b'],
      ['1', 'x,&quot;y'],
      ['', '2'],
    ]
    expect(cells(await show('a.csv', 'a,b\r\n1,"x,""y"\r\n,2\r\n'))).toEqual(expected)
    expect(cells(await show('a.csv', 'a;b\n1;"x,""y"\n;2'))).toEqual(expected)
    expect(cells(await show('a.tsv', 'a\tb\n1\tx,"y\n\t2\n'))).toEqual([
      ['a', 'b'],
      ['1', 'x,&quot;y'],
      ['', '2'],
    ])
    expect(await show('a.csv', '')).toContain('This table is empty')
  })

  it('of HTML is the text of it', async () => {
    const shown = await show('a.html', '<h1>Title</h1><script>alert(1)</script><p>Text &amp; more')
    expect(shown).toContain('Title')
    expect(shown).toContain('Text &amp; more')
    expect(shown).not.toContain('alert(1)')
  })

  it('of unknown bytes is only a download', async () => {
    const { open } = await sharedFiles({ '/a.bin': new Uint8Array([0, 1, 255]) }, '/a.bin')
    const { html } = await open()
    expect(html).toContain('This kind of file cannot be shown here. Use Download to save it.')
    expect(html).toContain('href="/p/link/?download"')
  })

  it('is cut into parts, each with a way on', async () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at}`)
    const { open } = await sharedFiles({ '/a.txt': lines.join('\n') }, '/a.txt')
    const parts = await Promise.all(['', '?part=2', '?part=3'].map((rest) => open(rest)))
    const shown = parts.flatMap(({ html }) => html.match(/line \d+/g) ?? [])
    expect(shown).toEqual(lines)
    expect(parts[0]?.html).toContain('href="/p/link/?part=2"')
    expect(parts[2]?.html).not.toContain('part=4')
    for (const rest of ['?part=4', '?part=0', '?part=x', '?part=-1', '?part=1e3'])
      expect((await open(rest)).status).toBe(404)
  })

  it('with one endless line is cut as well', async () => {
    const { open } = await sharedFiles(
      { '/a.txt': 'x'.repeat(2.5 * MAX_PAGE_CHARACTERS) },
      '/a.txt',
    )
    expect((await open('?part=3')).status).toBe(200)
    expect((await open('?part=4')).status).toBe(404)
  })

  it('says what it is, of which version, and how long the link lasts', async () => {
    const { open } = await sharedFiles({ '/d/s/a.txt': 'abc' }, '/d')
    const { html } = await open('s/a.txt')
    expect(html).toContain('<title>a.txt</title>')
    expect(html).toMatch(/3 bytes · changed <time [^>]*>[^<]+ UTC<\/time> · version 1/)
    expect(html).toMatch(/as they were on <time/)
    expect(html).toMatch(/The link ends on <time/)
    expect(html).toMatch(
      /<nav class="crumbs"[^>]*><a href="\/p\/link\/">.*d.*<a href="\/p\/link\/s">/,
    )
  })

  it('with a misleading name has it written out', async () => {
    const name = 'report\u202Efdp.txt'
    const { open } = await sharedFiles({ [`/d/${name}`]: 'x' }, '/d')
    for (const rest of ['', encodeURIComponent(name)]) {
      const { html } = await open(rest)
      expect(html).not.toContain('\u202E')
      expect(html).toContain('RLO')
    }
  })
})

describe('a folder', () => {
  it('lists folders and files with links, and shows its README', async () => {
    const { open } = await sharedFiles(
      { '/d/README.md': '# Hi', '/d/a b#?.txt': '12', '/d/s/x.txt': '' },
      '/d',
    )
    const { html } = await open()
    expect(html).toContain('<a class="folder" href="/p/link/s">')
    expect(html).toContain('href="/p/link/a%20b%23%3F.txt"')
    expect(html).toContain('2 bytes')
    expect(html).toContain('<h2 id="hi">Hi</h2>')
    expect((await open('a%20b%23%3F.txt')).status).toBe(200)
  })

  it('is cut into pages, pinned and live', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 450 }, (_, at) => [`/d/f${1000 + at}`, '']),
    )
    for (const live of [false, true]) {
      const { open } = await sharedFiles(files, '/d', { live })
      const names: string[] = []
      for (let rest = ''; ;) {
        const { html } = await open(rest)
        names.push(...(html.match(/f\d{4}(?=<\/bdi>)/g) ?? []))
        const [, next] = /href="\/p\/link\/(\?after=[^"]+)"/.exec(html) ?? []
        if (next === undefined) break
        rest = next
      }
      expect(names).toEqual(Object.keys(files).map((path) => path.slice(3)))
    }
  })
})

describe('Markdown', () => {
  const shown = async (text: string, others: Record<string, string> = {}) => {
    const { open } = await sharedFiles({ '/d/s/a.md': text, ...others }, '/d')
    return bodyOf((await open('s/a.md')).html)
  }

  it.each([
    ['[x](b.md)', 'href="/p/link/s/b.md"'],
    ['[x](../b%20c.md#a-b)', 'href="/p/link/b%20c.md#a-b"'],
    ['[x](/d/b.md)', 'href="/p/link/b.md"'],
    ['[x](/b.md)', 'href="/p/link/b.md"'],
    ['[x](#there)', 'href="#there"'],
    [
      '[x](https://example.com/?a=1&b)',
      'href="https://example.com/?a=1&amp;b" rel="noreferrer noopener nofollow"',
    ],
    ['<mailto:a@b.c>', 'href="mailto:a@b.c"'],
    ['![x](p.png)', '<img src="/p/link/s/p.png?image" alt="x"'],
    ['![x "y](p.png)', 'alt="x &quot;y"'],
    [
      '![x](https://evil.example/p.png)',
      '<span class="picture"><a href="https://evil.example/p.png"',
    ],
  ])('%s leads to where it may', async (text, expected) => {
    expect(await shown(text)).toContain(expected)
  })

  it.each([
    ['[x](javascript:alert(1))'],
    ['[x](JaVaScRiPt:alert(1))'],
    ['[x](data:text/html,<script>)'],
    ['[x](vbscript:x)'],
    ['[x](file:///etc/passwd)'],
    ['[x](../../other.md)'],
    ['[x](.env)'],
    ['[x](https://user:pass@evil.example/)'],
    ['![x](../../p.png)'],
    ['![x](data:image/svg+xml,<svg onload=alert(1)>)'],
    ['[x]: javascript:alert(1)\n\n[x]'],
    ['<a href="b.md">x</a>'],
    ['<img src=x onerror=alert(1)>'],
    ['[x](" onmouseover="alert(1))'],
    ['```"><script>alert(1)</script>\nx\n```'],
  ])('%s is no link and no picture', async (text) => {
    expect(await shown(text)).not.toMatch(/<a |<img|<script|<[^>]+ on\w+=/)
  })

  it('has headings with names of their own, below the name of the file', async () => {
    expect(await shown('# A b!\n## A b\n###### x')).toContain(
      '<h2 id="a-b">A b!</h2><h3 id="a-b-1">A b</h3><h6 id="x">x</h6>',
    )
  })

  it('has tables, tasks and code in colours', async () => {
    const html = await shown(
      '| a | b |\n|--|-:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```js\nlet a\n```',
    )
    expect(html).toContain('<td class="a-right">2</td>')
    expect(html).toContain('<li class="task"><input type="checkbox" disabled checked /> done</li>')
    expect(html).toContain('<span class="t-keyword">let</span>')
  })
})
