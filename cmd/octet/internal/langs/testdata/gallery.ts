// Values of these types are what @msgpack/msgpack decodes and encodes:
//
//	const message = decode(data, { useBigInt64: true }) as Gallery;
//
// A Date has milliseconds; smaller parts of a time are lost.
//
// @msgpack/msgpack refuses maps whose keys are neither strings nor numbers. msgpackr
// makes a Map of them, with the option mapsAsObjects: false.

import type { ExtData } from "@msgpack/msgpack";

export interface Gallery {
  flag: boolean;
  small: number;
  id: number | bigint;
  ratio: number;
  exact: number | bigint | null;
  name: string;
  data: Uint8Array | null;
  hash: Uint8Array; // 4 bytes
  at: Date;
  until?: Date;
  address: Uint8Array; // written by net/netip.Addr
  ext: ExtData;
  any: unknown;
  raw: unknown;
  point: [number, number];
  tags: string[] | null;
  scores: Record<string, (number | null)[] | null> | null;
  by_id?: Record<number, Home>;
  flags: Map<boolean, string> | null;
  pairs: Map<unknown, unknown> | null;
  home: Home | null;
  rows?: Row[];
  sparse: Sparse;
  class: Node;
  "größe (日本)": Forest | null;
  "2 \"quoted\" \\": Book | null;
  shape: Shape | null;
  figures: (Figure | null)[] | null;
  loose: Loose;
  from_message: GalleryFromMessage;
  "-": GalleryX;
}

export interface Home {
  zip?: string;
  floor?: number;
}

export type Row = [
  X: number,
  Y: number,
  Home: Home | null,
];

export interface Sparse {
  1: string;
  "-5"?: Home;
}

export interface Node {
  value: number | bigint;
  next?: Node;
  List: Node[] | null;
}

export type Forest = (Forest | null)[];

export interface Book {
  [key: string]: Chapter;
}

export interface Chapter {
  Parts: Book | null;
}

export type Shape =
  | ({ type: "circle" } & Circle)
  | ({ type: 2 } & Square);

export interface Circle {
  radius: number;
}

export interface Square {
  side: number;
}

export type Figure =
  | [tag: "polygon", value: Polygon]
  | [tag: -1, value: number | bigint];

export interface Polygon {
  Points: [number, number][] | null;
}

export interface Loose {
  known: string;
  [key: string]: unknown; // other keys: Home | null
}

export interface GalleryFromMessage {
  X: number;
  Y: number;
}

export interface GalleryX {
}
