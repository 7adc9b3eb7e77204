/** An app of the official `App` class, 1.x. @module */

import { App } from 'ext-apps-v1'
import { farewell, start } from './official-app.ts'

const app = new App(
  { name: 'official-app', version: '1.7.5' },
  { tools: { listChanged: true }, availableDisplayModes: ['inline', 'fullscreen'] },
)

app.registerTool('double', { description: 'Doubles' }, async () => ({
  content: [{ type: 'text' as const, text: 'two' }],
}))
app.onteardown = farewell

await start(app, () => app.connect())
