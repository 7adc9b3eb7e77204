import { apply, call, connect, list, setApprover } from '@edgewise/webmcp'
import type {} from '@edgewise/webmcp/globals'

// At least `review` for every tool, and nothing is remembered for days.
apply({ policy: 'review', rememberDays: 0 })

await document.modelContext.registerTool<{ amount: number }>({
  name: 'pay',
  description: 'Pays for what is in the cart.',
  annotations: { humanInTheLoopHint: 'confirm', intentTemplate: 'Pay {amount} euros' },
  execute: ({ amount }) => `Paid ${amount} euros`,
})

// The tools of an MCP server, beside those of the page.
const files = await connect({ url: '/mcp', prefix: 'files.' })

// A question of this page instead of the dialog. Anything but a yes denies.
setApprover(({ intent, tool }) => confirm(`Allow ${intent?.text ?? tool}?`))

// What an agent in the page does.
for (const tool of await list()) console.log(tool.name, tool.description)
const [pay] = (await list()).filter(({ name }) => name === 'pay')
if (pay) document.title = String(await call(pay, { amount: 12 }, { timeout: 60_000 }))

files.close()
