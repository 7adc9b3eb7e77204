/** The axe violations of a page of the console. @module */

import axe from 'axe-core'
import type { Page } from 'playwright'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Returns the violations that stay: a button that becomes enabled during a check has a colour between two. */
export async function faultsOf(page: Page): Promise<string[]> {
  const found = await check(page)
  return found.length > 0 ? check(page) : found
}

async function check(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    const isDrawn = (effect: AnimationEffect | null) =>
      effect instanceof KeyframeEffect &&
      effect.target?.checkVisibility({ contentVisibilityAuto: true }) === true
    // An animation of what is not drawn, because it is far from the window, never ends.
    const ends = ({ effect }: Animation) =>
      Number.isFinite(effect?.getComputedTiming().endTime) && isDrawn(effect)
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(ends)
        .map(({ finished }) => finished),
    )
  })
  // The console's policy lets no script in, so axe comes by the debugger, once for each load of the page.
  if (!(await page.evaluate(() => Reflect.has(window, 'axe'))))
    await page.evaluate(`${axe.source}; undefined`)
  const { violations } = await page.evaluate(
    (values): Promise<axe.AxeResults> =>
      Reflect.get(window, 'axe').run(document, {
        runOnly: { type: 'tag', values },
        // Of what is right, axe would describe each element.
        resultTypes: ['violations'],
        iframes: false,
      }),
    TAGS,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}
