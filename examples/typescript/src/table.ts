/** A game at the service, and how to talk about it: what to send again, and what to give up on. */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "../build/api.js";

type Schemas = components["schemas"];
export type Api = Client<paths>;
export type CreatedGame = Schemas["CreatedGame"];
export type GameState = Schemas["GameState"];
export type LegalMoves = Schemas["LegalMoves"];
export type Move = Schemas["Move"];
export type MoveResult = Schemas["MoveResult"];
export type NewGame = Schemas["NewGame"];
export type Problem = Schemas["Problem"];

/** How often one request is sent before its problem is believed. */
const TRIES = 10;

/** What the service does not do. Programs switch on `problem.code`; people read `problem.detail`. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
  }
}

/** A client for the service at that address; the key is for services that ask for one. */
export function connect(address: string, apiKey?: string): Api {
  return createClient<paths>({ baseUrl: address, headers: apiKey ? { "X-API-Key": apiKey } : {} });
}

type Answer<T> = { data?: T; error?: Problem; response: Response };

/**
 * The data of an answer. While the service can't answer (503), has had enough (429), or can't be reached,
 * the same request is sent again after the pause that it asks for. Throws `Refused`.
 */
export async function answered<T>(send: () => Promise<Answer<T>>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send().catch((error: unknown) => {
      if (tries === TRIES) throw error;
      return undefined;
    });
    if (answer?.data !== undefined) return answer.data;
    if (answer?.error && (tries === TRIES || ![429, 503].includes(answer.response.status))) {
      throw new Refused(answer.error);
    }
    const seconds = Number(answer?.response.headers.get("Retry-After") ?? 1);
    console.log(`${answer?.error?.code ?? "no answer"}: again in ${seconds} s`);
    await sleep(seconds * 1000);
  }
}

/** One game with the tokens of all its seats, as a backend keeps it for its players. */
export class Table {
  /** By seat: the last view of it, and its ETag. */
  private readonly seen = new Map<number, { etag: string; state: GameState }>();

  private constructor(
    private readonly api: Api,
    readonly created: CreatedGame,
  ) {}

  /** Starts a game. With its `Idempotency-Key` the request may be sent again: there will be one game. */
  static async open(api: Api, body: NewGame): Promise<Table> {
    const header = { "Idempotency-Key": randomUUID() };
    return new Table(api, await answered(() => api.POST("/v1/games", { params: { header }, body })));
  }

  /** What every request about this game has: its id, and the seat's token. */
  private as(seat: number): { path: { id: string }; headers: { Authorization: string } } {
    const token = this.created.seats[seat]?.token;
    if (token === undefined) throw new RangeError(`no seat ${seat}`);
    return { path: { id: this.created.id }, headers: { Authorization: `Bearer ${token}` } };
  }

  /** The game as that seat sees it. Where it is as it was, the service only says so (304). */
  async look(seat: number): Promise<GameState> {
    const { path, headers } = this.as(seat);
    const seen = this.seen.get(seat);
    const header = seen ? { "If-None-Match": seen.etag } : {};
    return answered(async () => {
      const answer = await this.api.GET("/v1/games/{id}", { params: { path, header }, headers });
      if (answer.response.status === 304 && seen) return { data: seen.state, response: answer.response };
      this.remember(seat, answer.response, answer.data);
      return answer;
    });
  }

  private remember(seat: number, response: Response, state?: GameState): void {
    const etag = response.headers.get("ETag");
    if (state && etag) this.seen.set(seat, { etag, state });
  }

  /** What the seat may do now. */
  async legalMoves(seat: number): Promise<LegalMoves> {
    const { path, headers } = this.as(seat);
    return answered(() => this.api.GET("/v1/games/{id}/legal-moves", { params: { path }, headers }));
  }

  /**
   * Makes a move, meant for that version of the game alone (`If-Match`). Its `Idempotency-Key` lets it be sent
   * again until there is an answer: it is made once.
   */
  async move(seat: number, body: Move, version: number): Promise<MoveResult> {
    const { path, headers } = this.as(seat);
    const header = { "Idempotency-Key": randomUUID(), "If-Match": `"${version}"` };
    return answered(async () => {
      const answer = await this.api.POST("/v1/games/{id}/moves", { params: { path, header }, headers, body });
      this.remember(seat, answer.response, answer.data?.state);
      return answer;
    });
  }
}
