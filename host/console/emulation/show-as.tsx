/**
 * The choice of the host that apps are shown as, kept in the address as `as`, with what that host lacks.
 *
 * @module
 */

import { route, setQuery } from '../shell/route.ts'
import { FEATURES } from './features.ts'
import { HOSTS, hostNamed, type EmulatedHost } from './hosts.ts'

/** Returns the host that the address names; null for our own. */
export const chosenHost = (): EmulatedHost | null => hostNamed(route.value.query['as'])

/** Shows the choice. */
export function ShowAs() {
  const host = chosenHost()
  const choose = (as: string) => setQuery({ ...route.value.query, as })
  return (
    <section class="showas" aria-label="Emulated host" data-testid="show-as">
      <label class="field">
        <span class="label">Show as…</span>
        <select
          value={host?.id ?? ''}
          aria-describedby={host ? 'showas-facts' : undefined}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">This console</option>
          {HOSTS.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {host && <Facts host={host} />}
    </section>
  )
}

function Facts({ host }: { readonly host: EmulatedHost }) {
  return (
    <div class="small" id="showas-facts">
      <p>
        {`An approximation of ${host.title}. Modes: ${host.modes.join(', ')}. `}
        {sizeSentence(host)}
        {lackSentence(host)}
      </p>
      <ul class="faint">
        {host.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  )
}

function sizeSentence({ size = {} }: EmulatedHost): string {
  const parts = [
    size.width !== undefined && `at most ${size.width} px wide`,
    size.height !== undefined && `${size.height} px high`,
    size.maxHeight !== undefined && `at most ${size.maxHeight} px high`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `Inline apps are ${parts.join(' and ')}. `
}

function lackSentence({ lacks, permissions }: EmulatedHost): string {
  const names = lacks.map((name) => FEATURES[name].label)
  const missing = names.length === 0 ? 'It lacks nothing.' : `It lacks ${names.join(', ')}.`
  return `${missing} Permissions: ${permissions.join(', ') || 'none'}.`
}
