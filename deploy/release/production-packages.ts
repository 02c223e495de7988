// Which packages a release contains, and which of their files.

/** The base image has this version of Node; elsewhere, the operator installs it. */
const RUNTIME = 'node_modules/node';
/** Binaries of other machines are 20 times as large as the one that is loaded. */
const UWS_BINARIES = 'node_modules/uWebSockets.js/dist/bin/';
/** Node's number for the interface of native modules: 127 is Node 22. */
const UWS_ABI = process.versions.modules;
const SWAGGER = 'node_modules/swagger-ui-dist/';
/** The files that `graphql-api/app/rest-docs.ts` serves, and what their licence requires. */
const SWAGGER_SHIPPED =
  /^(?:package\.json|LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js(?:\.LICENSE\.txt)?|favicon-32x32\.png)$/;
/** Types, source maps and texts are never loaded. */
const NEVER_LOADED = /\.(?:d\.[cm]?ts|map|md)$/;

type Lockfile = {
  readonly packages: Readonly<Record<string, { dev?: boolean; os?: readonly string[] }>>;
};

/**
 * The folders of packages that are not only for development. Packages for one operating system are omitted,
 * because they only make other packages faster, which work without them on every machine.
 */
export function productionPackages(lockfile: string): readonly string[] {
  const { packages } = JSON.parse(lockfile) as Lockfile;
  return Object.entries(packages)
    .filter(([path, { dev, os }]) => path !== '' && dev !== true && os === undefined)
    .filter(([path]) => !isWithin(path, RUNTIME))
    .map(([path]) => path);
}

/** Whether a release contains this file of a package. Always true for folders. */
export function isShipped(path: string, cpu: string): boolean {
  if (path.startsWith(UWS_BINARIES)) return path.endsWith(`/uws_linux_${cpu}_${UWS_ABI}.node`);
  if (path.startsWith(SWAGGER)) return SWAGGER_SHIPPED.test(path.slice(SWAGGER.length));
  return !NEVER_LOADED.test(path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
