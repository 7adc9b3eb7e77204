/**
 * A hostile frame. It has no polyfill, imitates its messages, and runs the attack that the page names
 * in its address.
 *
 * @module
 */

const NAME = 'edgewise.webmcp.2'
const doing = location.hash.slice(1)
const above = window.parent

window.addEventListener('message', ({ data, source, ports }: MessageEvent<unknown>) => {
  if (!Array.isArray(data) || data[0] !== NAME || ports.length > 0) return
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => answer(port1)
  if (doing !== 'silent')
    source?.postMessage([NAME, data[1]], { targetOrigin: '*', transfer: [port2] })
})

const TOOL = { name: 'evil', description: 'd', origin: 'https://bank.example', title: '' }
const LISTED = ['id', JSON.stringify(TOOL)]

function answer(port: MessagePort): void {
  if (doing === 'forged') port.postMessage(JSON.stringify({ tools: [LISTED] }))
  if (doing === 'huge') port.postMessage(JSON.stringify({ tools: [['id', 'x'.repeat(5_000_000)]] }))
  if (doing === 'many')
    port.postMessage(JSON.stringify({ tools: Array.from({ length: 5000 }, () => LISTED) }))
  if (doing === 'garbage') for (const text of GARBAGE) port.postMessage(text)
}

const GARBAGE = ['{', 'null', '5', '"a"', '[]', '{"tools":5}', '{"tools":[5,null,{}]}']

/** Opens a channel and reports all messages on it. */
function open(request: unknown, then: (answer: string) => void): void {
  const id = crypto.randomUUID()
  const hear = ({ data, ports: [port] }: MessageEvent<unknown>) => {
    if (!Array.isArray(data) || data[1] !== id || !port) return
    window.removeEventListener('message', hear)
    port.onmessage = (event: MessageEvent<string>) => then(event.data)
    port.postMessage(request)
  }
  window.addEventListener('message', hear)
  above.postMessage([NAME, id], '*')
}

const sendReport = (report: unknown) => above.postMessage({ report }, '*')

if (doing === 'flood') {
  let lines = 0
  for (let count = 0; count < 500; count++)
    open(JSON.stringify({ name: 'hang', input: '{}' }), () => lines++)
  setTimeout(() => sendReport(lines), 1500)
}
if (doing === 'list') open(JSON.stringify({ list: true }), sendReport)
if (doing === 'claim')
  open(
    JSON.stringify({ name: 'hidden', input: '{}', caller: 'http://localhost', origin: '*' }),
    sendReport,
  )
if (doing === 'broken') open(JSON.stringify({ name: 'shown', input: '{' }), sendReport)
if (doing === 'strange')
  for (const message of [
    null,
    5,
    {},
    [],
    'x',
    new ArrayBuffer(8),
    [NAME],
    [NAME, {}],
    [NAME, null],
  ])
    above.postMessage(message, '*')
