/** Styles from a host: which are applied, and which values are rejected. */

import { afterEach, describe, expect, it } from 'vitest'
import { STYLE_VARIABLES } from '#core/theme-variables.ts'
import { applyHostStyles } from '../../views/theme.ts'

// The test server sends a style sheet as such if it is requested.
const reference = await fetch('/views/style.css', { headers: { accept: 'text/css' } }).then(
  (sheet) => sheet.text(),
)

const root = document.documentElement
const value = (name: string) => root.style.getPropertyValue(name)
const variables = (all: Record<string, unknown>) => ({ styles: { variables: all } })

afterEach(() => applyHostStyles({}))

describe('style variables', () => {
  it('are the 76 of MCP Apps, each with a value of ours', () => {
    expect(STYLE_VARIABLES).toHaveLength(76)
    expect(new Set(STYLE_VARIABLES).size).toBe(76)
    const ours = [...reference.matchAll(/^\s*(--[a-z0-9-]+):/gm)].map(([, name]) => name)
    expect(new Set(ours)).toEqual(new Set(STYLE_VARIABLES))
  })

  it('are taken from the host, and fall back when it no longer sends them', () => {
    applyHostStyles(
      variables({
        '--color-text-primary': 'light-dark(#111, #eee)',
        '--border-radius-md': '0',
      }),
    )
    expect(value('--color-text-primary')).toBe('light-dark(#111, #eee)')
    expect(value('--border-radius-md')).toBe('0')
    applyHostStyles(variables({ '--border-radius-md': '4px' }))
    expect(value('--color-text-primary')).toBe('')
    expect(value('--border-radius-md')).toBe('4px')
  })

  it('exclude unknown and inherited members', () => {
    applyHostStyles(variables({ '--own': 'red', color: 'red', 'background-image': 'url(x)' }))
    applyHostStyles({ styles: { variables: Object.create({ '--font-sans': 'serif' }) as object } })
    expect(root.getAttribute('style') ?? '').toBe('')
  })

  it.each([
    'url(https://example.com/x.png)',
    'URL("x")',
    'image-set("x" 1x)',
    'red; } body { display: none',
    'red /* x',
    '\\75rl(x)',
    'src("x")',
    'x'.repeat(2_000),
    7,
    null,
  ])('cannot be %j', (bad) => {
    applyHostStyles(variables({ '--color-background-primary': bad }))
    expect(value('--color-background-primary')).toBe('')
  })
})

describe('theme', () => {
  it('is that of the host, else that of the system', () => {
    applyHostStyles({ theme: 'dark' })
    expect(root.dataset['theme']).toBe('dark')
    applyHostStyles({})
    expect(root.dataset['theme']).toBeUndefined()
  })

  it.each(['light', 'dark'])('has text that can be read on every surface, %s', (theme) => {
    const style = document.head.appendChild(document.createElement('style'))
    style.textContent = reference
    root.dataset['theme'] = theme
    const surfaces = ['primary', 'secondary']
    const texts = ['primary', 'secondary', 'tertiary', 'info', 'danger', 'success', 'warning']
    for (const text of texts) {
      for (const surface of surfaces)
        expect(contrast(text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
    }
    for (const tone of ['info', 'danger', 'success', 'warning'])
      expect(contrast(tone, tone), tone).toBeGreaterThanOrEqual(4.5)
    expect(contrast('inverse', 'inverse')).toBeGreaterThanOrEqual(4.5)
    style.remove()
  })
})

describe('fonts', () => {
  const face = '@font-face { font-family: "Host"; src: url(data:font/woff2;base64,AA==); }'
  const sheets = () => [...document.head.querySelectorAll('style')].map((s) => s.textContent)

  it('are font faces and imports, without other rules', () => {
    const rest = 'body { display: none } @media all { p { color: red } }'
    const text = `@import url("https://fonts.example/a.css"); ${face} ${rest}`
    applyHostStyles({ styles: { css: { fonts: text } } })
    const sheet = sheets().at(-1) ?? ''
    expect(sheet).toContain('@import url("https://fonts.example/a.css");')
    expect(sheet).toContain('font-family: Host')
    expect(sheet).not.toContain('display')
    expect(sheet).not.toContain('color')
  })

  it.each(['@import url("http://a/b.css")', '@import "javascript:x"', '@import url(//a/b)', 7])(
    'are not %j',
    (fonts) => {
      applyHostStyles({ styles: { css: { fonts } } })
      expect(sheets().join('')).not.toContain('@import')
    },
  )
})

/** The ratio of WCAG 2 between a text and a background of ours. */
function contrast(text: string, surface: string): number {
  const [a, b] = [`--color-text-${text}`, `--color-background-${surface}`].map(luminance)
  const [dark = 0, light = 0] = [a ?? 0, b ?? 0].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(variable: string): number {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(${variable})`
  const channels = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? []
  probe.remove()
  const [r = 0, g = 0, b = 0] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
