import { createRequire, isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import jestRuntime from 'jest-runtime'

const require = createRequire(import.meta.url)
const contracts = fileURLToPath(new URL('../proto/', import.meta.url))
const packageName = /^(?!@tripline\/|@jest\/|jest\b|expect$|data:|file:)[@a-z]/

// Both live as long as the worker.
const packages = new Map()
const loadedContracts = new Map()

/**
 * Jest's loader, in the worker's own global object. Each file has the project's modules to itself, as ever, but for those
 * without state: packages, and the contracts of proto, are loaded by the first file of a worker that needs them. To load
 * them anew was most of the processor time of a small file.
 */
export default class SharedPackages extends jestRuntime {
  constructor(...options) {
    super(...options)
    this.#runInOwnGlobal()
    this.#sharePackages()
    this.#takeContracts()
  }

  teardown() {
    this.#leaveContracts()
    super.teardown()
  }

  requireModuleOrMock(from, name) {
    if (!isPackage(name)) return super.requireModuleOrMock(from, name)
    const file = createRequire(from).resolve(name)
    return packageOf(file) === undefined ? super.requireModuleOrMock(from, name) : require(file)
  }

  #runInOwnGlobal() {
    const { esmLoader, executor } = this
    esmLoader.getContext = () => undefined
    executor.compile = (source, filename) =>
      vm.compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (name, _function, attributes, phase) =>
          executor.dynamicImport(name, filename, undefined, attributes, phase),
      })
  }

  #sharePackages() {
    const { esmLoader, _resolution: resolution } = this
    const { resolveSpecifierForSyncGraph, resolveModule } = esmLoader
    const packageFor = (from, name) =>
      isPackage(name) ? packageOf(resolution.resolveEsm(from, name)) : undefined
    esmLoader.resolveSpecifierForSyncGraph = (from, name, context, scratch, ...rest) => {
      const module = packageFor(from, name)
      if (!module) return resolveSpecifierForSyncGraph.call(esmLoader, from, name, context, scratch, ...rest)
      const cacheKey = `package:${module.identifier}`
      scratch.set(cacheKey, { cacheKey, kind: 'prelinked', module, excludeFromRegistry: true })
      return { cacheKey, enqueue: null, modulePath: module.identifier }
    }
    esmLoader.resolveModule = async (name, from, context) =>
      packageFor(from, name) ?? (await resolveModule.call(esmLoader, name, from, context))
  }

  #takeContracts() {
    const modules = this.registries.getActiveEsmRegistry()
    for (const [key, { module, sourceMap }] of loadedContracts) {
      modules.set(key, module)
      if (sourceMap) this.getSourceMaps().set(module.identifier, sourceMap)
    }
  }

  #leaveContracts() {
    for (const [key, module] of this.registries.getActiveEsmRegistry())
      if (isContract(module) && !loadedContracts.has(key))
        loadedContracts.set(key, { module, sourceMap: this.getSourceMaps().get(module.identifier) })
  }
}

function isPackage(name) {
  return packageName.test(name) && !isBuiltin(name)
}

function isContract({ identifier, status }) {
  return status === 'evaluated' && identifier?.startsWith(contracts) && !identifier.endsWith('.test.ts')
}

/** Returns a module with what a file of a package exports; undefined for one that only bundlers and jest can load. */
function packageOf(file) {
  if (!packages.has(file)) packages.set(file, loadPackage(file))
  return packages.get(file)
}

function loadPackage(file) {
  try {
    return moduleOf(file, require(file))
  } catch {
    return undefined
  }
}

function moduleOf(file, exports) {
  const values = { ...exports, ...(isNamespace(exports) ? {} : { default: exports }) }
  delete values['module.exports']
  const names = Object.keys(values)
  const module = new vm.SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, values[name])
    },
    { identifier: file },
  )
  module.evaluate()
  return module
}

function isNamespace(exports) {
  return exports?.[Symbol.toStringTag] === 'Module'
}
