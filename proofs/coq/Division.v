(** What of composition can be read off divisibility and carries (paper 3.3.2): the floor form and the carry law,
    [20] and [21] as sufficient conditions, and distribution condition (2), which is not sufficient. *)
From Veritile Require Import Modes Coalesce Shapes Compose.

(** * The floor form A(x) = D·x + Σ E·⌊x/Q⌋ (model/floor_form.py) *)

Fixpoint floors (P s d : Z) (T : modes) : list (Z * Z) :=
  match T with
  | [] => []
  | (r, k) :: T => (P * s, k - s * d) :: floors (P * s) r k T
  end.

Definition floor_sum (F : list (Z * Z)) (x : Z) : Z := fold_right (fun f t => snd f * (x / fst f) + t) 0 F.

Definition carries (F : list (Z * Z)) (x y : Z) : Z :=
  fold_right (fun f t => snd f * (if fst f <=? x mod fst f + y mod fst f then 1 else 0) + t) 0 F.

Lemma floor_form_from T : forall P s d x, 1 <= P -> wf ((s, d) :: T) ->
  value ((s, d) :: T) (x / P) = d * (x / P) + floor_sum (floors P s d T) x
  /\ Forall (fun f : Z * Z => 1 <= fst f) (floors P s d T).
Proof.
  induction T as [|[r k] T IH]; intros P s d x HP HW.
  - split; [cbn; lia|constructor].
  - apply wf_cons in HW as [Hs HW]. rewrite value_step by congruence. rewrite Z.div_div by lia.
    destruct (IH (P * s) r k x ltac:(nia) HW) as [E F]. rewrite E. cbn [floors floor_sum fold_right fst snd].
    fold (floor_sum (floors (P * s) r k T) x). destruct (div_mod_eq (x / P) s Hs) as [D _].
    rewrite Z.div_div in D by lia. split; [|constructor; [cbn; nia|exact F]].
    replace ((x / P) mod s) with (x / P - s * (x / (P * s))) by lia. lia.
Qed.

Theorem floor_form s d T x : wf ((s, d) :: T) -> value ((s, d) :: T) x = d * x + floor_sum (floors 1 s d T) x.
Proof. intros H. destruct (floor_form_from T 1 s d x ltac:(lia) H) as [E _]. rewrite Z.div_1_r in E. exact E. Qed.

(** The carry law: what A is not linear by is the carries. *)
Theorem carry_law s d T x y : wf ((s, d) :: T) ->
  value ((s, d) :: T) (x + y) = value ((s, d) :: T) x + value ((s, d) :: T) y + carries (floors 1 s d T) x y.
Proof.
  intros H. rewrite !floor_form by assumption. destruct (floor_form_from T 1 s d 0 ltac:(lia) H) as [_ F].
  assert (E : floor_sum (floors 1 s d T) (x + y)
    = floor_sum (floors 1 s d T) x + floor_sum (floors 1 s d T) y + carries (floors 1 s d T) x y); [|lia].
  induction F as [|[Q E] F HQ _ IH]; [reflexivity|]. cbn [floor_sum carries fold_right fst snd] in *.
  rewrite (floor_add Q) by assumption. fold (floor_sum F (x + y)) (floor_sum F x) (floor_sum F y) (carries F x y) in *.
  rewrite IH. lia.
Qed.

(** * Stride and shape divisibility, mode by mode, up to the truncation *)

Fixpoint by_division (A : modes) (n t : Z) : modes :=
  match A with
  | [] => [(n, 0)]
  | (s, d) :: T =>
      match T with
      | [] => [(n, d * t)]
      | _ =>
          if t mod s =? 0 then by_division T n (t / s)
          else if n <=? s / t then [(n, d * t)]
          else (s / t, d * t) :: by_division T (n / (s / t)) 1
      end
  end.

Fixpoint divides (A : modes) (n t : Z) : Prop :=
  match A with
  | [] => True
  | (s, _) :: T =>
      match T with
      | [] => True
      | _ =>
          (t mod s = 0 /\ divides T n (t / s))
          \/ (t mod s <> 0 /\ s mod t = 0 /\ (n <= s / t \/ (n mod (s / t) = 0 /\ divides T (n / (s / t)) 1)))
      end
  end.

Theorem divisibility A : forall n t, wf A -> 1 <= n -> 1 <= t -> divides A n t ->
  represents (fun i => value A (i * t)) n (by_division A n t).
Proof.
  induction A as [|[s d] T IH]; intros n t HW Hn Ht HD.
  - split; [repeat constructor; cbn; lia|]. split; [cbn; lia|]. intros i Hi. cbn. destruct i; lia.
  - destruct T as [|m T].
    + split; [repeat constructor; cbn; lia|]. split; [cbn; lia|]. intros i Hi. cbn. lia.
    + remember (m :: T) as U eqn:EU. assert (HU : U <> []) by (subst; congruence).
      apply wf_cons in HW as [Hs HU']. pose proof (size_pos U HU') as HP.
      assert (E1 : by_division ((s, d) :: U) n t = if t mod s =? 0 then by_division U n (t / s)
          else if n <=? s / t then [(n, d * t)] else (s / t, d * t) :: by_division U (n / (s / t)) 1) by (subst; reflexivity).
      assert (E2 : (t mod s = 0 /\ divides U n (t / s)) \/ (t mod s <> 0 /\ s mod t = 0
          /\ (n <= s / t \/ (n mod (s / t) = 0 /\ divides U (n / (s / t)) 1)))) by (subst; exact HD).
      rewrite E1. clear E1 HD EU. destruct E2 as [(M & D)|(M & S & D)].
      * rewrite M. cbn [Z.eqb]. pose proof (Z.div_mod t s ltac:(lia)) as E. rewrite M, Z.add_0_r in E.
        destruct (IH n (t / s) HU' Hn ltac:(nia) D) as (W & Z0 & V). split; [assumption|]. split; [assumption|].
        intros i Hi. rewrite V by assumption. replace (i * t) with (0 + s * (i * (t / s))) by nia.
        rewrite value_digits_all by (lia || assumption). lia.
      * destruct (Z.eqb_spec (t mod s) 0); [lia|]. pose proof (Z.div_mod s t ltac:(lia)) as E.
        rewrite S, Z.add_0_r in E. set (q := s / t) in *. assert (Hq : 1 <= q) by nia.
        destruct (Z.leb_spec n q) as [L|L].
        -- split; [repeat constructor; cbn; lia|]. split; [cbn; lia|]. intros i Hi. change (value [(n, d * t)] i) with (d * t * i).
           replace (i * t) with (i * t + s * 0) by lia. rewrite value_digits_all; [|nia|assumption].
           rewrite value_0. lia.
        -- destruct D as [D|[D0 D]]; [lia|]. pose proof (Z.div_mod n q ltac:(lia)) as En. rewrite D0, Z.add_0_r in En.
           destruct (IH (n / q) 1 HU' ltac:(nia) ltac:(lia) D) as (W & Z0 & V).
           split; [apply wf_cons; split; assumption|]. split; [cbn [size]; lia|]. intros i Hi.
           rewrite value_in by lia. pose proof (div_in_bounds i q (n / q) Hq ltac:(lia)) as Hd.
           rewrite V by lia. destruct (div_mod_eq i q Hq) as [Ei Hm].
           replace (i * t) with (i mod q * t + s * (i / q)).
           ++ rewrite value_digits_all; [|nia|assumption]. rewrite Z.mul_1_r. lia.
           ++ apply (f_equal (fun z => z * t)) in Ei. nia.
Qed.

(** * [20] and [21] as printed, over prefix products P *)

Fixpoint stride_divisible (P : Z) (A : modes) (d : Z) : Prop :=
  match A with [] => True | (s, _) :: T => ((P | d) \/ (d | P)) /\ stride_divisible (P * s) T d end.

(** ρ = ⌈P/d⌉ divides the size n of B, for every P. *)
Fixpoint shape_divisible (P : Z) (A : modes) (n d : Z) : Prop :=
  match A with [] => True | (s, _) :: T => ((P + d - 1) / d | n) /\ shape_divisible (P * s) T n d end.

Lemma ceil_exact d k : 1 <= d -> (k * d + d - 1) / d = k.
Proof. intros H. symmetry. apply (Z.div_unique _ _ k (d - 1)); lia. Qed.

Lemma printed_divides A : forall P n d, wf A -> 1 <= P -> 1 <= n -> 1 <= d ->
  stride_divisible P A d -> shape_divisible P A n d ->
  (forall t, d = t * P -> divides A n t) /\ (forall r m, P = r * d -> n = r * m -> divides A m 1).
Proof.
  induction A as [|[s e] T IH]; intros P n d HW HP Hn Hd HS HR; [split; intros; exact I|].
  destruct T as [|[s' e'] T]; [split; intros; exact I|]. remember ((s', e') :: T) as U eqn:EU.
  apply wf_cons in HW as [Hs HW]. destruct HS as [_ HS]. destruct HR as [_ HR].
  destruct (IH (P * s) n d HW ltac:(nia) Hn Hd HS HR) as [I1 I2].
  assert (H20 : (P * s | d) \/ (d | P * s)) by (subst U; apply HS).
  assert (H21 : Z.divide ((P * s + d - 1) / d) n) by (subst U; apply HR).
  assert (G : forall k t, divides ((s, e) :: U) k t <->
     (t mod s = 0 /\ divides U k (t / s))
     \/ (t mod s <> 0 /\ s mod t = 0 /\ (k <= s / t \/ (k mod (s / t) = 0 /\ divides U (k / (s / t)) 1))))
    by (intros; subst U; reflexivity).
  clear EU IH HS HR. split.
  - intros t Et. apply G. destruct (Z.eq_dec (t mod s) 0) as [M|M].
    + left. split; [assumption|]. apply I1. pose proof (Z.div_mod t s ltac:(lia)). rewrite M in *. nia.
    + right. split; [assumption|]. destruct H20 as [[k Hk]|[k Hk]].
      * exfalso. apply M. replace t with (k * s) by nia. apply Z.mod_mul. lia.
      * assert (Es : s = k * t) by nia. assert (1 <= t) by nia. rewrite Es at 1. rewrite Z.mod_mul by lia.
        split; [reflexivity|]. right. assert (Q : s / t = k) by (rewrite Es; apply Z.div_mul; lia). rewrite Q.
        rewrite Hk, ceil_exact in H21 by assumption. destruct H21 as [m Hm].
        assert (1 <= k) by nia. rewrite Hm, Z.mod_mul, Z.div_mul by lia. split; [reflexivity|].
        apply (I2 k m); lia.
  - intros r m Er Em. apply G. destruct (Z.eq_dec (1 mod s) 0) as [M|M].
    + left. assert (s = 1) as -> by (destruct (Z.eq_dec s 1); [assumption|]; rewrite Z.mod_small in M by lia; lia).
      split; [assumption|]. rewrite Z.div_1_r. apply (I2 r m); lia.
    + right. rewrite Z.mod_1_r, Z.div_1_r. split; [assumption|]. split; [reflexivity|]. right.
      assert (E : P * s = (r * s) * d) by nia. rewrite E, ceil_exact in H21 by assumption. destruct H21 as [k Hk].
      assert (1 <= r) by nia. assert (m = k * s) by nia. subst m. rewrite Z.mod_mul, Z.div_mul by lia.
      split; [reflexivity|]. apply (I2 (r * s) k); lia.
Qed.

(** Stride divisibility [20] and shape divisibility [21] are sufficient for a basic B = n:d. *)
Corollary divisibility_20_21 A n d : wf A -> 1 <= n -> 1 <= d ->
  stride_divisible 1 A d -> shape_divisible 1 A n d ->
  composes A (Leaf (n, d)) (leaf_of (by_division A n d)) /\ exists R, compose A (Leaf (n, d)) = Some R.
Proof.
  intros HW Hn Hd HS HR. destruct (printed_divides A 1 n d HW ltac:(lia) Hn Hd HS HR) as [D _].
  pose proof (divisibility A n d HW Hn Hd (D d ltac:(lia))) as (W & Z0 & V).
  assert (HB : wfl (Leaf (n, d))) by (repeat constructor; cbn; lia).
  assert (C : composes A (Leaf (n, d)) (leaf_of (by_division A n d))).
  { destruct (leaf_of_same _ W) as [[E1 E2] WL].
    assert (HC : compatible (shape_of (Leaf (n, d))) (shape_of (leaf_of (by_division A n d)))).
    { change (n = total (shape_of (leaf_of (by_division A n d)))). rewrite total_shape. lia. }
    apply composes_iff; [assumption..|]. apply agrees_iff. intros i Hi. cbn [flatten size] in Hi.
    rewrite E2, V by lia. cbn [flatten value]. f_equal. lia. }
  split; [exact C|]. apply compose_iff; [assumption|]. eexists; exact C.
Qed.

(** They are not necessary: each of these breaks one of them, and exists (3.3.3 and a diagonal). *)
Example divisibility_not_necessary :
  (~ stride_divisible 1 [(4, 3); (2, 12); (8, 97)] 3 /\ compose [(4, 3); (2, 12); (8, 97)] (Leaf (3, 3)) = Some (Leaf (3, 9)))
  /\ (~ stride_divisible 1 [(3, 7); (6, 8); (2, 6)] 4 /\ compose [(3, 7); (6, 8); (2, 6)] (Leaf (3, 4)) = Some (Leaf (3, 15))).
Proof.
  split; (split; [|reflexivity]); cbn.
  - intros (_ & [[k H]|[k H]] & _); lia.
  - intros (_ & [[k H]|[k H]] & _); lia.
Qed.

(** * Distribution condition (2) *)

Definition disjoint_images (m n : mode) : Prop :=
  forall i j, 0 <= i < fst m -> 0 <= j < fst n -> i * snd m = j * snd n -> i * snd m = 0.

Fixpoint pairwise (R : mode -> mode -> Prop) (B : modes) : Prop :=
  match B with [] => True | m :: B => Forall (R m) B /\ pairwise R B end.

(** Condition (2): stride divisibility of every basic sublayout of B, with disjoint images. *)
Definition condition_2 (A B : modes) : Prop :=
  Forall (fun m : mode => stride_divisible 1 A (snd m)) B /\ pairwise disjoint_images B.

(** It holds of A = (6,2):(1,7) and B = (3,2):(2,3), whose leaves have results, B being injective; and A∘B does not exist. *)
Theorem condition_2_refuted : exists A B, wf A /\ wf B /\ condition_2 A B /\ NoDup (image B)
  /\ Forall (fun m => exists R, compose A (Leaf m) = Some R) B
  /\ forall R, ~ composes A (Node (map Leaf B)) R.
Proof.
  exists [(6, 1); (2, 7)], [(3, 2); (2, 3)]. split; [repeat constructor; cbn; lia|].
  split; [repeat constructor; cbn; lia|]. split; [split|].
  - constructor; [|constructor; [|constructor]]; cbn; (split; [left; eexists; symmetry; apply Z.mul_1_r|]);
      (split; [right|exact I]); [exists 3|exists 2]; reflexivity.
  - cbn. split; [|split; constructor]. constructor; [|constructor]. intros i j. cbn. lia.
  - split; [vm_compute; repeat constructor; cbn; lia|]. split; [repeat constructor; eexists; reflexivity|].
    apply compose_none; [repeat constructor; cbn; lia|reflexivity].
Qed.
