/**
 * A project of a user: both packages, packed and installed from their tarballs, without a network.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackages } from '../../../scripts/packages.ts'
import { ROOT } from './run.ts'

const execute = promisify(execFile)

/** A project with both packages. */
export interface Project {
  readonly folder: string
  readonly tarballs: readonly string[]
}

/** Packages of others that the examples name; a reader would install them. */
const OTHERS = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@types/react',
  'preact',
  'react',
  'react-dom',
  'zod',
]

/** Builds, packs and installs the packages in a folder. */
export async function installPackages(folder: string): Promise<Project> {
  const packed = (await buildPackages()).map(async (source) => {
    const { stdout } = await npm(source, 'pack', '--silent', '--pack-destination', folder)
    return join(folder, stdout.trim())
  })
  const tarballs = await Promise.all(packed)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const names = tarballs.map((file) => `./${basename(file)}`)
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', ...names)
  for (const name of OTHERS) link(folder, name)
  return { folder, tarballs }
}

const npm = (cwd: string, ...args: readonly string[]) => execute('npm', args, { cwd })

function link(folder: string, name: string): void {
  const path = join(folder, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), path)
}

/** Runs a program of this project's devDependencies; returns its exit code and its output. */
export async function runTool(
  cwd: string,
  tool: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const path = join(ROOT, 'node_modules/.bin', tool)
  try {
    const { stdout, stderr } = await execute(path, args, { cwd })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code = 1, stdout = '', stderr = '' } = Object(error)
    return { code, output: `${stdout}${stderr}` }
  }
}
