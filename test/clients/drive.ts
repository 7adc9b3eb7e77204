/**
 * Drives one client in a process of its own: `node drive.ts <file> <mode> <origin> <workspace>`.
 *
 * Clients patch globals, print what they like and may never end; so the record is the last line.
 *
 * @module
 */

import { record, RECORD, type Driver, type Examine } from './session.ts'
import { prepare } from './workspace.ts'

const [file = '', mode = '', origin = '', name = ''] = process.argv.slice(2)
type Client = { driver: Driver } | { examine: Examine }

const client: Client = await import(`./drivers/${file}.ts`)
const workspace = await prepare(origin, name)
const cells =
  'driver' in client
    ? await record(client.driver, workspace, mode)
    : await client.examine(workspace, mode)
process.stdout.write(`\n${RECORD}${JSON.stringify(cells)}\n`, () => process.exit(0))
