import pg from 'pg';
import { destroyConnection, getPrimaryFinder, type PrimaryFinder } from './primary-finder.ts';

/**
 * A connection to PostgreSQL. With several hosts or `target_session_attrs` in the URL, it leads to the server that
 * accepts writes; after a failover, connections to the previous primary are destroyed, so that pools open new ones.
 */
export class DatabaseClient extends pg.Client {
  readonly #finder: PrimaryFinder | undefined;

  constructor(config: pg.ClientConfig = {}) {
    const finder = config.connectionString ? getPrimaryFinder(config.connectionString) : undefined;
    super(finder ? { ...config, connectionString: finder.anyUrl } : config);
    this.#finder = finder;
    // An error of the connection also rejects its statements. Without a listener, it would crash the process, because
    // the driver's pool listens only to idle connections.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#finder ? this.#connectToPrimary(this.#finder) : super.connect();
    if (!callback) return connected;
    const onConnect = callback as (error?: Error) => void;
    connected.then(() => onConnect(), onConnect);
    return undefined;
  }

  /** Destroys the connection without waiting for a server that does not respond. */
  abandon(): void {
    destroyConnection(this);
  }

  async #connectToPrimary(finder: PrimaryFinder): Promise<pg.Client> {
    const url = await finder.find();
    const { hostname, port } = new URL(url);
    Object.assign(this, { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 5432) });
    this.on('error', () => finder.forget(url));
    try {
      await super.connect();
      await finder.admit(this, url);
      return this;
    } catch (error) {
      finder.forget(url);
      destroyConnection(this);
      throw error;
    }
  }
}
