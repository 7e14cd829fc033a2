/** Finding `playhead.config.*` above a case and loading the product it names. */

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from '../core/fault.ts';
import type { PlayheadConfig, Product } from '../core/product.ts';
import { shortPath } from './case-files.ts';

export type LoadedConfig = { path: string; config: PlayheadConfig };

/** The nearest configuration at or above `from`. */
export async function loadConfig(from: string): Promise<LoadedConfig> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = configNames.map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
    if (path) return { path, config: checkConfig(await importDefault(path), path) };
    if (folder === dirname(folder)) throw new Fault({ code: 'config_missing', message: `Cannot find playhead.config.ts: there is none at or above "${shortPath(from)}", one was needed` });
  }
}

export async function loadProduct(loaded: LoadedConfig, name: string): Promise<Product> {
  const module = loaded.config.products[name];
  if (!module)
    throw new Fault({
      code: 'product_unknown',
      message: `Cannot start product "${name}": the configuration has ${Object.keys(loaded.config.products).join(', ') || 'none'}, that name was needed`,
      at: shortPath(loaded.path),
    });
  const product = (await importDefault(resolve(dirname(loaded.path), module))) as Product | undefined;
  if (typeof product?.name !== 'string') throw new Fault({ code: 'config_invalid', message: `Cannot use product module "${module}": its default export is no product, defineProduct({ name, … }) was needed`, at: shortPath(loaded.path) });
  return product;
}

async function importDefault(path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION' ? 'this Node cannot read TypeScript by itself (22.18 and newer can)' : error instanceof Error ? error.message : String(error);
    throw new Fault({ code: 'config_invalid', message: `Cannot load "${shortPath(path)}": ${why}, a module was needed`, cause: error });
  }
}

function checkConfig(value: unknown, path: string): PlayheadConfig {
  const config = value as PlayheadConfig | undefined;
  if (typeof config?.products !== 'object' || config.products === null)
    throw new Fault({ code: 'config_invalid', message: `Cannot use "${shortPath(path)}": it exports no products, defineConfig({ products: { … } }) was needed` });
  return config;
}

const configNames = ['playhead.config.ts', 'playhead.config.mts', 'playhead.config.js', 'playhead.config.mjs'];
