/** An app of the official `App` class, 2.x. @module */

import { App } from '@modelcontextprotocol/ext-apps'
import { farewell, start } from './official-app.ts'

const app = new App(
  { name: 'official-app', version: '2.0.4' },
  { tools: { listChanged: true }, availableDisplayModes: ['inline', 'fullscreen'] },
)

app.registerTool('double', { description: 'Doubles' }, async () => ({
  content: [{ type: 'text' as const, text: 'two' }],
}))
app.onteardown = farewell

await start(app, () => app.connect())
