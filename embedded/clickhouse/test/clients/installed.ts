// The directory in which `npm run clients` installs the clients.

import { join } from 'node:path';

export const INSTALLED = join(import.meta.dirname, '.installed');
export const PYTHON = join(INSTALLED, 'python/bin/python');
export const DBT = join(INSTALLED, 'python/bin/dbt');
export const GO_PROGRAM = join(INSTALLED, 'go-program');
export const JAVA_LIBRARIES = join(INSTALLED, 'java');
