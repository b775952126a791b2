import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'

const stopSignals = ['SIGTERM', 'SIGINT']

/**
 * Runs a test file in the worker's own global object, as production runs: packages can be loaded once for all files of a
 * worker, and an error of theirs, or of Node, is an `Error` of the test's. Between two files the global object, the
 * variables of the environment and what listens to signals are set back.
 */
export default class OwnGlobal {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  #before = stateOfProcess()

  constructor({ projectConfig }) {
    // As in jest's own environment: Node shows 10 calls of a failed test, which is too few.
    Error.stackTraceLimit = 100
    // Every file of a worker adds what is to be done at its end.
    process.setMaxListeners(0)
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose()
    restoreProcess(this.#before)
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  /** Asked by jest whether the file still runs; see jest-runtime.mjs for where it runs. */
  getVmContext() {
    return this.global
  }
}

function stateOfProcess() {
  return {
    globals: Object.getOwnPropertyDescriptors(globalThis),
    env: { ...process.env },
    exit: process.exit,
    listeners: stopSignals.map((signal) => process.listeners(signal)),
  }
}

function restoreProcess({ globals, env, exit, listeners }) {
  for (const name of Reflect.ownKeys(globalThis)) {
    const before = globals[name]
    if (before === undefined) Reflect.deleteProperty(globalThis, name)
    else if (before.value !== undefined && globalThis[name] !== before.value)
      Reflect.defineProperty(globalThis, name, before)
  }
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exit = exit
  for (const [index, signal] of stopSignals.entries())
    for (const listener of process.listeners(signal))
      if (!listeners[index].includes(listener)) process.removeListener(signal, listener)
}
