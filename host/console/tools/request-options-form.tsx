/**
 * The request metadata of a call (`_meta`): a policy that restricts it, granted scopes, and other
 * members as JSON.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { policySchema } from '../../forms/filter.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { connection } from '../connect/connection.ts'
import { Checkbox, CodeArea } from '../ui/fields.tsx'
import { buildMeta, parseJsonObject, type RequestOptions } from './request-options.ts'

interface Props {
  readonly meta: RequestOptions
  readonly onChange: (meta: RequestOptions) => void
}

/** Shows the request metadata as a collapsible form. */
export function RequestOptionsForm({ meta, onChange }: Props) {
  const open = connection.value
  const set = (part: Partial<RequestOptions>) => onChange({ ...meta, ...part })
  const sent = Object.keys(buildMeta(meta))
  const policy = open?.supportsPolicy ? policySchema(open.configSchema) : null
  const problem =
    parseJsonObject(meta.more) === null ? 'Not a JSON object, so it is not sent.' : null
  return (
    <details class="meta">
      <summary>
        Request options{sent.length > 0 && <span class="badge info">{sent.join(', ')}</span>}
      </summary>
      <div class="stack">
        <Checkbox
          checked={meta.direct}
          onChange={(direct) => set({ direct })}
          help="Without a current preview, Apply then runs the tool at once."
        >
          Allow Apply without a preview
        </Checkbox>
        <CodeArea
          label="Granted scopes"
          rows={2}
          value={meta.granted}
          placeholder="write:file:/docs"
          onInput={(granted) => set({ granted })}
          help="One per line. They apply to this call only, within your own access."
        />
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
        <CodeArea
          label="Other _meta members, as JSON"
          rows={2}
          value={meta.more}
          placeholder="{}"
          onInput={(more) => set({ more })}
          problem={problem}
        />
      </div>
    </details>
  )
}
