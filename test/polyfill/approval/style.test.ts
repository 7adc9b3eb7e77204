/**
 * The style sheets of the approval layer use no name that a page can define for the whole document, except
 * three properties, each of which is clamped where it is used.
 */

import { CSS as ELEMENT } from '#polyfill/approval/remembered/draw.ts'
import { CSS as DIALOG } from '#polyfill/approval/ui/style.ts'
import { expect, it } from 'vitest'

const SHEETS = { DIALOG, ELEMENT }

/** A page's `@font-face` replaces any other family. */
const GENERIC = ['inherit', 'system-ui', 'sans-serif', 'monospace']

/** What is left of a sheet without the uses of a page's values that are bounded, whatever the values are. */
const withoutTheme = (css: string) =>
  css
    .replaceAll(
      /oklch\(from var\(--webmcp-(?:accent|background)\) clamp\([\d.]+,l,[\d.]+\) min\(c,[\d.]+\) h\/1\)/g,
      '',
    )
    .replaceAll('clamp(0px,var(--webmcp-radius,14px),20px)', '')

it.each(Object.entries(SHEETS))('%s has no name of a page beyond the theme', (_, css) => {
  expect(
    withoutTheme(css).match(/--[\w-]+|var\(|@(?!media)[\w-]+|animation|transition/g),
  ).toBeNull()
})

it('what a page sets is only painted over a colour of the dialog', () => {
  const themed = [...DIALOG.matchAll(/[^;{}]*--webmcp-(?:accent|background)[^;{}]*/g)]
  expect(themed).toHaveLength(2)
  for (const { 0: declaration } of themed)
    expect(declaration).toMatch(/^background-image:linear-gradient\(light-dark\(oklch.*\) 0 0\)$/)
})

it.each(Object.entries(SHEETS))('%s has only generic fonts', (_, css) => {
  const families = [...css.matchAll(/\bfont(?:-family)?:([^;}]*)/g)].flatMap(([, value = '']) =>
    value.replace(/^.*\d\S* /, '').split(','),
  )
  expect(families.length).toBeGreaterThan(1)
  for (const family of families) expect(GENERIC).toContain(family)
})
