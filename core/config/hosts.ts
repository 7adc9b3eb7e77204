/**
 * The field `import_hosts`: the hosts from which `import_file` may fetch.
 *
 * @module
 */

import { ok, type Result } from '../result.ts'
import { CONFIGURED, type Field } from './field.ts'
import { fail, type ConfigProblem, type Place } from './problem.ts'
import { collect } from './values.ts'

/** Maximum number of hosts. */
export const MAX_IMPORT_HOSTS = 50

/** A name with a dot whose last label is no number, so that no address of the internet protocol is one; or this machine. */
const HOST = /^(?:localhost|(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d])$/

const MAX_HOST_LENGTH = 253

/** Names of hosts. */
export type Hosts = readonly string[]

export const IMPORT_HOSTS: Field<Hosts, typeof CONFIGURED> = {
  default: [],
  read: readHosts,
  width: () => 0,
  meet: (held, flag) => held.filter((host) => flag.includes(host)),
  sentence: 'access',
  schema: {
    type: 'array',
    title: 'Hosts to import from',
    description:
      'The hosts from which import_file may fetch a file, by their exact names; a redirect to another one is refused. A fetch tells the host what is in its URL. That of a workspace can only leave out hosts of the deployment.',
    maxItems: MAX_IMPORT_HOSTS,
    items: { type: 'string', minLength: 1, maxLength: MAX_HOST_LENGTH },
    default: [],
    ...CONFIGURED,
  },
}

function readHosts({ name, pointer }: Place, value: unknown): Result<Hosts, ConfigProblem> {
  if (!Array.isArray(value)) return fail('WRONG_TYPE', pointer, `${name} must be an array`)
  if (value.length > MAX_IMPORT_HOSTS)
    return fail('TOO_MANY', pointer, `${name} must not hold more than ${MAX_IMPORT_HOSTS} hosts`)
  return collect(value, (host: unknown, index) =>
    typeof host === 'string' && host.length <= MAX_HOST_LENGTH && HOST.test(host)
      ? ok(host)
      : fail(
          'INVALID_VALUE',
          `${pointer}/${index}`,
          `${name} must hold names such as files.example.com`,
        ),
  )
}
