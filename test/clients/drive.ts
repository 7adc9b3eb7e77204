/**
 * Drives one client in a process of its own: `node drive.ts <file> <mode> <origin> <workspace>`.
 *
 * Clients patch globals, print what they like and may never end; so the record is the last line.
 *
 * @module
 */

import { record, RECORD, type Driver } from './session.ts'
import { prepare } from './workspace.ts'

const [file = '', mode = '', origin = '', name = ''] = process.argv.slice(2)
const { driver }: { driver: Driver } = await import(`./drivers/${file}.ts`)
const cells = await record(driver, await prepare(origin, name), mode)
process.stdout.write(`\n${RECORD}${JSON.stringify(cells)}\n`, () => process.exit(0))
