/**
 * The page of servers: chooses the server that the console shows. Any MCP server works that supports
 * Streamable HTTP and allows this origin (CORS).
 *
 * @module
 */

import { focusBeside } from '../ui/focus-beside.ts'
import { Icon } from '../ui/icons.tsx'
import { Note, PageHead } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { choose, forget, recent, suggestedUrl, target } from './target.ts'
import { OWN_TARGET } from './typed-target.ts'
import { ServerForm } from './connect-form.tsx'
import { Configuration } from './configuration-form.tsx'
import { CurrentServer } from './current-server.tsx'

/** Shows the current connection, the form for another server, and the servers used before. */
export function Connect() {
  return (
    <>
      <PageHead title="Servers">
        Connect the console to any MCP server that supports Streamable HTTP.
      </PageHead>
      <div class="stack wide">
        {suggestedUrl.value !== null && <SuggestedServer url={suggestedUrl.value} />}
        <CurrentServer />
        <Configuration />
        <div class="halves">
          <ServerForm key={suggestedUrl.value ?? target.value.url} />
          <RecentServers />
        </div>
      </div>
    </>
  )
}

const SuggestedServer = ({ url }: { readonly url: string }) => (
  <Note tone="warning" title="A link asks to connect to another server:">
    <code>{url}</code>
    <div>
      Connect only to a server that you trust: it chooses the names and texts that it shows.
    </div>
  </Note>
)

/** The servers used before. */
function RecentServers() {
  return (
    <section class="card" aria-labelledby="recent">
      <header>
        <h2 id="recent">Recent servers</h2>
      </header>
      <ul class="lines">
        {recent.value.map(({ url, title, era, signIn }) => (
          <li key={url} class="row apart">
            <button
              type="button"
              class="button quiet placelink"
              aria-current={url === target.value.url ? 'true' : undefined}
              onClick={() => choose({ ...OWN_TARGET, url, era, signIn })}
            >
              <strong>
                <Visible text={title} />
              </strong>
              <code>{url}</code>
            </button>
            {url !== target.value.url && (
              <button
                type="button"
                class="button quiet small icononly"
                aria-label={`Forget ${url}`}
                data-forget={url}
                onClick={() => {
                  focusBeside(`[data-forget="${CSS.escape(url)}"]`, '[data-forget]')
                  forget(url)
                }}
              >
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {recent.value.length === 0 && <p class="faint small">No recent servers.</p>}
    </section>
  )
}
