(** Hierarchical shapes, layouts and coordinates; compatibility; evaluation at any coordinate (paper 2.2 to 2.17,
    model/htuple.py, model/layout.py). *)
From Veritile Require Export Modes.

(** An element, or a tuple. Layouts keep size and stride of a leaf together, so they are congruent by construction. *)
Inductive tree (A : Type) : Type :=
| Leaf : A -> tree A
| Node : list (tree A) -> tree A.
Arguments Leaf {A} _.
Arguments Node {A} _.

Notation layout := (tree mode).
Notation shape := (tree Z).
Notation coordinate := (tree Z).

Section Induction.
  Context {A : Type} (P : tree A -> Prop).
  Hypothesis leaf : forall a, P (Leaf a).
  Hypothesis node : forall l, Forall P l -> P (Node l).
  Fixpoint tree_induction (t : tree A) : P t :=
    match t with
    | Leaf a => leaf a
    | Node l => node l ((fix all l := match l return Forall P l with
        | [] => Forall_nil P
        | t :: l => Forall_cons t (tree_induction t) (all l) end) l)
    end.
End Induction.

Fixpoint flatten {A} (t : tree A) : list A :=
  match t with Leaf a => [a] | Node l => flat_map flatten l end.

Fixpoint tmap {A B} (f : A -> B) (t : tree A) : tree B :=
  match t with Leaf a => Leaf (f a) | Node l => Node (map (tmap f) l) end.

Definition shape_of (L : layout) : shape := tmap fst L.

Definition product (l : list Z) : Z := fold_right Z.mul 1 l.

(** |S| *)
Definition total (S : shape) : Z := product (flatten S).

Section Lists.
  Context {A B : Type} (R : A -> B -> Prop) (f : A -> B -> Z).
  Fixpoint all2 (la : list A) (lb : list B) : Prop :=
    match la, lb with
    | [], [] => True
    | a :: la, b :: lb => R a b /\ all2 la lb
    | _, _ => False
    end.
  Fixpoint sum2 (la : list A) (lb : list B) : Z :=
    match la, lb with a :: la, b :: lb => f a b + sum2 la lb | _, _ => 0 end.
End Lists.

(** P is compatible with S, definition 2.7: S refines P, with the same sizes. *)
Fixpoint compatible (P S : shape) : Prop :=
  match P, S with
  | Leaf n, _ => n = total S
  | Node ps, Node ss => all2 compatible ps ss
  | Node _, Leaf _ => False
  end.

(** c is a coordinate of the shape in bounds, in any coarsening: c in Z(S), definition 2.8. *)
Fixpoint in_bounds (S : shape) (c : coordinate) : Prop :=
  match c, S with
  | Leaf x, _ => 0 <= x < total S
  | Node cs, Node ss => all2 in_bounds ss cs
  | Node _, Leaf _ => False
  end.

(** The offset at a coordinate: an integer is read by all the modes, the last one not reduced; a tuple mode by mode. *)
Fixpoint eval (L : layout) (c : coordinate) : Z :=
  match c with
  | Leaf x => value (flatten L) x
  | Node cs => match L with Node ls => sum2 eval ls cs | Leaf _ => 0 end
  end.

(** The integral coordinate of a coordinate: crd2idx, first mode fastest. *)
Fixpoint index (S : shape) (c : coordinate) : Z :=
  match c with
  | Leaf x => x
  | Node cs =>
      match S with
      | Node ss =>
          (fix go (ss : list shape) (cs : list coordinate) : Z :=
             match ss, cs with s :: ss, c :: cs => index s c + total s * go ss cs | _, _ => 0 end) ss cs
      | Leaf _ => 0
      end
  end.

Definition wfl (L : layout) : Prop := wf (flatten L).

(** * Sizes *)

Lemma product_app l m : product (l ++ m) = product l * product m.
Proof.
  induction l as [|a l IH]; [cbn [app]; change (product []) with 1; lia|].
  change (a * product (l ++ m) = a * product l * product m). rewrite IH. lia.
Qed.

Lemma flatten_tmap {A B} (f : A -> B) t : flatten (tmap f t) = map f (flatten t).
Proof.
  induction t as [a|l IH] using tree_induction; [reflexivity|]. cbn [tmap flatten].
  induction IH as [|t l H _ IHl]; [reflexivity|]. cbn. rewrite map_app, H. f_equal. exact IHl.
Qed.

Lemma size_product A : size A = product (map fst A).
Proof. induction A as [|[s d] T IH]; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.

Lemma total_shape L : total (shape_of L) = size (flatten L).
Proof. unfold total, shape_of. now rewrite flatten_tmap, size_product. Qed.

Lemma total_cons s ss : total (Node (s :: ss)) = total s * total (Node ss).
Proof. unfold total. cbn [flatten flat_map]. apply product_app. Qed.

Lemma flatten_cons {A} (t : tree A) l : flatten (Node (t :: l)) = flatten t ++ flatten (Node l).
Proof. reflexivity. Qed.

Lemma wfl_cons L l : wfl (Node (L :: l)) <-> wfl L /\ wfl (Node l).
Proof. unfold wfl. rewrite flatten_cons. apply wf_app. Qed.

Lemma compatible_total P : forall S, compatible P S -> total P = total S.
Proof.
  induction P as [n|ps IH] using tree_induction; intros S H.
  - cbn [compatible] in H. rewrite <- H. unfold total. cbn. lia.
  - destruct S as [|ss]; [easy|]. cbn [compatible] in H. revert ss H.
    induction IH as [|p ps Hp _ IHl]; intros [|s ss] H; try easy.
    cbn [all2] in H. destruct H as [H1 H2]. rewrite !total_cons, (Hp s H1), (IHl ss H2). reflexivity.
Qed.

Lemma compatible_refl S : compatible S S.
Proof.
  induction S as [n|l IH] using tree_induction; [unfold compatible, total; cbn; lia|].
  cbn [compatible]. induction IH as [|t l H _ IHl]; cbn [all2]; auto.
Qed.

(** * Every coordinate in bounds reads as its integral one *)

Lemma eval_leaf L x : eval L (Leaf x) = value (flatten L) x.
Proof. destruct L; reflexivity. Qed.

Lemma index_leaf S x : index S (Leaf x) = x.
Proof. destruct S; reflexivity. Qed.

Lemma in_bounds_leaf S x : in_bounds S (Leaf x) <-> 0 <= x < total S.
Proof. destruct S; reflexivity. Qed.

Theorem eval_index S : forall L c, wfl L -> compatible S (shape_of L) -> in_bounds S c ->
  0 <= index S c < total S /\ eval L c = value (flatten L) (index S c).
Proof.
  induction S as [n|ss IH] using tree_induction; intros L c HW HC HB.
  - destruct c as [x|cs]; [|easy]. rewrite eval_leaf. split; [exact HB|reflexivity].
  - destruct c as [x|cs]; [rewrite eval_leaf; split; [exact HB|reflexivity]|].
    destruct L as [m|ls]; [easy|]. cbn [in_bounds compatible shape_of tmap] in *.
    revert ls cs HW HC HB. induction IH as [|s ss Hs _ IHl]; intros ls cs HW HC HB.
    + destruct cs as [|c cs]; [|easy]. destruct ls as [|L ls]; [|easy]. split; [cbn; lia|reflexivity].
    + destruct cs as [|c cs]; [easy|]. destruct ls as [|L ls]; [easy|].
      cbn [map all2] in HC, HB. destruct HC as [HC1 HC2]. destruct HB as [HB1 HB2].
      apply wfl_cons in HW as [HW1 HW2].
      destruct (Hs L c HW1 HC1 HB1) as [I1 E1]. destruct (IHl ls cs HW2 HC2 HB2) as [I2 E2].
      change (index (Node (s :: ss)) (Node (c :: cs))) with (index s c + total s * index (Node ss) (Node cs)).
      change (eval (Node (L :: ls)) (Node (c :: cs))) with (eval L c + eval (Node ls) (Node cs)).
      pose proof (compatible_total _ _ HC1) as T1. rewrite total_shape in T1.
      assert (HC2' : compatible (Node ss) (shape_of (Node ls))) by exact HC2.
      pose proof (compatible_total _ _ HC2') as T2. rewrite total_shape in T2.
      rewrite total_cons. split; [now apply join_bounds|].
      rewrite E1, E2, flatten_cons, T1. symmetry. apply value_app; [exact HW1|lia|lia].
Qed.

Lemma in_bounds_compatible P : forall S c, compatible P S -> in_bounds P c -> in_bounds S c.
Proof.
  induction P as [n|ps IH] using tree_induction; intros S c HC HB.
  - destruct c as [x|cs]; [|easy]. apply in_bounds_leaf. cbn [compatible] in HC. change (0 <= x < n * 1) in HB. lia.
  - destruct c as [x|cs].
    + apply in_bounds_leaf. rewrite in_bounds_leaf in HB. now rewrite <- (compatible_total _ _ HC).
    + destruct S as [|ss]; [easy|]. cbn [compatible in_bounds] in *. revert ss cs HC HB.
      induction IH as [|p ps Hp _ IHl]; intros [|s ss] [|c cs] HC HB; try easy.
      cbn [all2] in *. destruct HC, HB. auto.
Qed.

Lemma eval_0 L : eval L (Leaf 0) = 0.
Proof. rewrite eval_leaf. apply value_0. Qed.
