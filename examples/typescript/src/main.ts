/** Plays one whole game of Thirteen and one of Three Thirteen: `npm start [address]`, or API from the environment. */

import { createHash } from "node:crypto";
import { choose } from "./strategy.js";
import { type Api, connect, type GameState, type NewGame, Refused, Table } from "./table.js";

/** Plays a game to its end, for all its players. */
async function play(api: Api, game: NewGame): Promise<void> {
  const table = await Table.open(api, game);
  let { state } = table.created;
  console.log(`${state.game}: game ${state.id}, ${state.players.length} players`);
  await triesOutOfTurn(table, state);
  while (state.turn !== null) {
    state = await takeTurn(api, table, state.turn);
  }
  console.log(`${state.game}: ${outcome(state)} after ${state.version - 1} moves`);
  checkDeal(state);
}

/** One move of that seat; the state after it, or after the faster move that came in between. */
async function takeTurn(api: Api, table: Table, seat: number): Promise<GameState> {
  const { moves, version } = await table.legalMoves(seat);
  if (moves.length === 0) return table.look(seat);
  const move = await choose(api, await table.look(seat), moves);
  try {
    return (await table.move(seat, move, version)).state;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    switch (error.problem.code) {
      case "stale_version":
      case "not_your_turn":
      case "wrong_phase":
      case "game_over":
        return table.look(seat); // the game has gone on without this move: look where it is now
      default:
        throw error;
    }
  }
}

/** What a refusal looks like: somebody moves whose turn it is not. Nothing happens but the answer. */
async function triesOutOfTurn(table: Table, state: GameState): Promise<void> {
  if (state.turn === null) return;
  const other = (state.turn + 1) % state.players.length;
  const move = state.game === "thirteen" ? { type: "pass" as const } : { type: "draw" as const, from: "stock" as const };
  try {
    await table.move(other, move, state.version);
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code !== "not_your_turn") throw error;
    console.log(`${state.game}: refused as it should be, ${error.message}`);
  }
}

function outcome(state: GameState): string {
  const winners = state.game === "thirteen" ? [state.winner] : (state.winners ?? []);
  return `won by ${winners.map((seat) => state.players[seat ?? -1]?.name).join(" and ")}`;
}

/** The seed is public now; it must be the one that the service bound itself to before the first card. */
function checkDeal({ game, seed, commitment }: GameState): void {
  const hash = createHash("sha256").update(Buffer.from(seed ?? "", "hex")).digest("hex");
  if (hash !== commitment) throw new Error(`${game}: the seed is not the one that was committed to`);
  console.log(`${game}: the seed is the one that was committed to`);
}

const address = process.argv[2] ?? process.env["API"] ?? "http://127.0.0.1:8000";
const api = connect(address, process.env["API_KEY"]);
await play(api, { game: "thirteen", players: [{ name: "An" }, { name: "Binh" }, { name: "Chi" }] });
await play(api, { game: "three_thirteen", players: [{ name: "Nino" }, { name: "Oleg" }] });
