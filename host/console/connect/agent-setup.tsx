/** The address of the current server, and the way to connect an agent to it. @module */

import { Snippet } from '../ui/copy.tsx'
import { Icon } from '../ui/icons.tsx'
import { linkTo } from '../shell/route.ts'
import { target } from './target.ts'

/** Shows the address and a link to the steps of each program. */
export function AgentSetup() {
  return (
    <>
      <header>
        <h2 id="setup" tabIndex={-1}>
          Connect an agent
        </h2>
      </header>
      <Snippet text={target.value.url} label="Address of this server" />
      <p class="small faint">
        Claude, ChatGPT, VS Code, Cursor, Codex and others connect to this address.
      </p>
      <a class="button" href={linkTo(['agents'])}>
        <Icon name="connect" /> Show the steps
      </a>
    </>
  )
}
