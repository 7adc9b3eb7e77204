/**
 * The connect page: chooses the server that the console shows. Any MCP server works that supports
 * Streamable HTTP and allows this origin (CORS).
 *
 * @module
 */

import { focusBeside } from '../parts/focus-beside.ts'
import { Icon } from '../parts/icons.tsx'
import { Note, PageHead } from '../parts/parts.tsx'
import { Visible } from '../parts/visible.tsx'
import { choose, forget, recent, suggested, target } from '../state/target.ts'
import { OWN } from '../state/typed-target.ts'
import { ServerForm } from './connect-form.tsx'
import { Now } from './connect-now.tsx'

/** Shows the current connection, the form for another server, and the servers used before. */
export function Connect() {
  return (
    <>
      <PageHead title="Connect">
        The console can look at any MCP server over HTTP, with the same tools, prompts and log.
      </PageHead>
      <div class="stack wide">
        {suggested.value !== null && <Suggested url={suggested.value} />}
        <Now />
        <div class="halves">
          <ServerForm key={suggested.value ?? target.value.url} />
          <Places />
        </div>
      </div>
    </>
  )
}

const Suggested = ({ url }: { readonly url: string }) => (
  <Note tone="warning" title="A link asks the console to look at another server:">
    <code>{url}</code>
    <div>Connect only if you know it. It can show what it likes, under its own name.</div>
  </Note>
)

/** The servers used before. */
function Places() {
  return (
    <section class="card" aria-labelledby="recent">
      <header>
        <h2 id="recent">Looked at before</h2>
      </header>
      <ul class="lines">
        {recent.value.map(({ url, title, era, signIn }) => (
          <li key={url} class="row apart">
            <button
              type="button"
              class="button quiet placelink"
              aria-current={url === target.value.url ? 'true' : undefined}
              onClick={() => choose({ ...OWN, url, era, signIn })}
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
      {recent.value.length === 0 && <p class="faint small">None yet.</p>}
    </section>
  )
}
