/**
 * The playground of WebMCP at `/playground`: a page with tools and a form, beside what an agent sees of it.
 *
 * The page uses `webmcp.js` as any other page does. `test/pages/playground.test.ts` covers it.
 *
 * @module
 */

import { watch } from '#polyfill/consumer.ts'
import { startAgent } from './agent.ts'
import { find } from './dom.ts'
import { startForm } from './form.ts'
import { startShop } from './shop.ts'
import { drawTools } from './tools.ts'

/** Switches the look of the page, which the question follows: light or dark, and its accent. */
function startLooks(): void {
  const { style } = document.documentElement
  const scheme = find('scheme')
  scheme.addEventListener('change', () => {
    if (scheme instanceof HTMLSelectElement) style.colorScheme = scheme.value
  })
  for (const swatch of document.querySelectorAll<HTMLElement>('[data-accent]'))
    swatch.addEventListener('click', () => {
      const { accent = '' } = swatch.dataset
      if (accent) style.setProperty('--webmcp-accent', accent)
      else style.removeProperty('--webmcp-accent')
    })
}

startLooks()
startForm()
await startShop()
startAgent()
watch((tools) => {
  drawTools(tools)
  find('json').textContent = JSON.stringify(tools, null, 2)
})
