/** The command by which `npm start -- --open` opens the console. */

import { expect, it } from 'vitest'
import { browserCommand } from '../scripts/open-browser.ts'

const URL = 'http://localhost:8787'

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, readonly string[]]>([
  ['linux', {}, ['xdg-open', URL]],
  ['darwin', {}, ['open', URL]],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', URL]],
  ['linux', { BROWSER: '/usr/bin/lynx' }, ['/usr/bin/lynx', URL]],
  ['linux', { BROWSER: '' }, ['xdg-open', URL]],
])('on %s with %j it is %j', (platform, environment, command) =>
  expect(browserCommand(URL, platform, environment)).toEqual(command),
)
