(* SPDX-License-Identifier: MIT *)
(* orders front|end: collects orders by customer in lists, to which each is added in front or at the end, and
   prints a sum of all. *)

let customers = 120
let orders = 90_000

type order = { number : int; item : string; cents : int }

let make_order number =
  { number; item = Printf.sprintf "item %d of shelf %d" (number * 31 mod 977) (number mod 70);
    cents = number * 7919 mod 9973 }

let add_order lists at_end customer order =
  if at_end then lists.(customer) <- lists.(customer) @ [ order ]
  else lists.(customer) <- order :: lists.(customer)

let digest list =
  List.fold_left
    (fun sum order -> Digest.string (Printf.sprintf "%s %d %s %d" sum order.number order.item order.cents))
    "" list

let () =
  let at_end = Array.length Sys.argv > 1 && Sys.argv.(1) = "end" in
  let lists = Array.make customers [] in
  for number = 0 to orders - 1 do
    add_order lists at_end (number * 104729 mod customers) (make_order number)
  done;
  let lists = if at_end then lists else Array.map List.rev lists in
  let digests = Array.map (fun list -> Digest.to_hex (digest list)) lists in
  Printf.printf "sum %s\n" (Digest.to_hex (Digest.string (String.concat "" (Array.to_list digests))))
