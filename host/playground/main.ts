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
import { startLooks } from './looks.ts'
import { startShop } from './shop.ts'
import { drawTools } from './tools.ts'

startLooks()
startForm()
await startShop()
startAgent()
watch((tools) => {
  drawTools(tools)
  find('json').textContent = JSON.stringify(tools, null, 2)
})
