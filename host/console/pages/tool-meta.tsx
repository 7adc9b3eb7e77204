/**
 * The request metadata of a call (`_meta`): a policy that restricts it, granted scopes, and other
 * members as JSON.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { policySchema } from '../../forms/filter.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { connection } from '../state/link.ts'
import { jsonOf, metaOf, type Meta } from '../state/meta.ts'

interface Props {
  readonly meta: Meta
  readonly onChange: (meta: Meta) => void
}

/** Shows the request metadata as a collapsible form. */
export function MetaPanel({ meta, onChange }: Props) {
  const open = connection.value
  const set = (part: Partial<Meta>) => onChange({ ...meta, ...part })
  const sent = Object.keys(metaOf(meta))
  const policy = open?.supportsPolicy ? policySchema(open.configSchema) : null
  return (
    <details class="meta">
      <summary>
        Terms of this call{sent.length > 0 && <span class="badge info">{sent.join(', ')}</span>}
      </summary>
      <div class="stack">
        <label class="check">
          <input
            type="checkbox"
            checked={meta.direct}
            onChange={({ currentTarget }) => set({ direct: currentTarget.checked })}
          />
          <span>
            Allow Apply without a preview
            <small>The call is made at once, as an agent without a reviewer would make it.</small>
          </span>
        </label>
        <label class="field">
          <span class="label">Granted scopes</span>
          <textarea
            class="code"
            rows={2}
            value={meta.granted}
            placeholder="write:file:/docs"
            onInput={({ currentTarget }) => set({ granted: currentTarget.value })}
          />
          <span class="help">
            One a line. They hold for this call, within what you may do yourself.
          </span>
        </label>
        {policy !== null && (
          <fieldset class="field">
            <legend class="label">Policy</legend>
            <span class="help">Restricts this call further. It can never allow more.</span>
            <SchemaForm
              schema={policy}
              value={meta.policy}
              idPrefix="policy"
              label="Policy"
              onChange={(value) => set({ policy: recordOf(value) })}
            />
          </fieldset>
        )}
        <label class="field">
          <span class="label">More members of _meta, as JSON</span>
          <textarea
            class="code"
            rows={2}
            value={meta.more}
            aria-invalid={jsonOf(meta.more) === null}
            placeholder="{}"
            onInput={({ currentTarget }) => set({ more: currentTarget.value })}
          />
          {jsonOf(meta.more) === null && (
            <span class="fault">This is no JSON object, so it is not sent.</span>
          )}
        </label>
      </div>
    </details>
  )
}
